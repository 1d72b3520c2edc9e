package org.motebench.probe;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import org.motebench.probe.bc.BouncyCastle;
import org.motebench.probe.jce.SunJce;
import org.motebench.probe.wire.Frames;

/** The program: {@code motebench-probe.jar sunjce|bouncycastle}, speaking the protocol on its standard streams. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        String name = arguments.length == 1 ? arguments[0] : "";
        // Nothing but frames may reach standard output, whatever a library prints.
        System.setOut(System.err);
        Library library;
        try {
            library = library(name);
        } catch (LinkageError | RuntimeException problem) {
            throw stop(name, problem);
        }
        if (library == null) {
            System.err.println("motebench-probe: name one implementation: sunjce or bouncycastle");
            System.exit(2);
        }
        Frames frames = new Frames(new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
        new Probe(library, frames).serve();
    }

    private static Library library(String name) {
        return switch (name) {
            case "sunjce" -> SunJce.library();
            case "bouncycastle" -> BouncyCastle.library();
            default -> null;
        };
    }

    /** A library that is missing, damaged or of another version: one line, and the end. */
    private static Error stop(String name, Throwable problem) {
        Throwable cause = problem.getCause() == null ? problem : problem.getCause();
        System.err.println("motebench-probe-" + name + ": the library cannot be loaded from "
                + System.getProperty("java.class.path") + " and the jars beside it: " + cause);
        System.exit(1);
        return new AssertionError("exit returned");
    }
}
