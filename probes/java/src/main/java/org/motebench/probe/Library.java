package org.motebench.probe;

import java.util.List;

/**
 * One implementation: its name in motebench, its own version text, and what it offers. {@code intrinsic}: the virtual
 * machine knows its code and may put instructions of the processor in its place; else it is Java code like any other.
 */
public record Library(String name, String version, boolean intrinsic, List<Scheme> schemes) {}
