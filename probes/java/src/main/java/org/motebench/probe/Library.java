package org.motebench.probe;

import java.util.List;

/** One implementation: its name in motebench, its own version text, and what it offers. */
public record Library(String name, String version, List<Scheme> schemes) {}
