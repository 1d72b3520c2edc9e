package org.motebench.probe;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Facts about this process from Linux and the virtual machine. */
final class ProcessInfo {
    private static final Path SELF = Path.of("/proc/self");

    private ProcessInfo() {}

    /** Peak resident memory in bytes ({@code VmHWM}). */
    static long peakResident() throws Failure {
        try {
            for (String line : Files.readAllLines(SELF.resolve("status"))) {
                if (line.startsWith("VmHWM:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) << 10;
                }
            }
        } catch (IOException | NumberFormatException problem) {
            throw unknown();
        }
        throw unknown();
    }

    private static Failure unknown() {
        return new Failure(Failure.UNSUPPORTED, "the system does not report memory use");
    }

    /** Bytes of the heap that hold objects, dead ones that are not collected yet among them. */
    static long heapUsed() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** Processor time of all threads in ns: exact from the scheduler's accounts, else what the JVM says. */
    static long processorTime() {
        return processorTime("");
    }

    /** The same without the calling thread: compilers, collectors and the like. */
    static long otherThreadsTime() {
        try {
            return processorTime(Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString());
        } catch (IOException unknown) {
            return 0;
        }
    }

    private static long processorTime(String except) {
        long sum = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(SELF.resolve("task"))) {
            for (Path task : tasks) {
                sum += task.endsWith(except) ? 0 : runtimeOf(task);
            }
            return sum;
        } catch (IOException | NumberFormatException problem) {
            var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            return system.getProcessCpuTime();
        }
    }

    private static long runtimeOf(Path task) throws IOException {
        try {
            String accounts = Files.readString(task.resolve("schedstat"));
            return Long.parseLong(accounts.substring(0, accounts.indexOf(' ')));
        } catch (java.nio.file.NoSuchFileException ended) {
            if (Files.exists(task)) {
                throw ended; // a kernel without these accounts
            }
            return 0;
        }
    }

    /** Number of preemptions of the calling thread; -1 if the system does not tell. */
    static long preemptions() {
        final String field = "nonvoluntary_ctxt_switches:";
        try {
            String status = Files.readString(Path.of("/proc/thread-self/status"));
            int at = status.indexOf(field);
            return at < 0 ? -1 : Long.parseLong(status.substring(at + field.length()).strip().split("\\s")[0]);
        } catch (IOException | NumberFormatException unknown) {
            return -1;
        }
    }

    /** User and system time in clock ticks of the kernel: only their proportion is used. */
    static long[] userAndSystem() {
        try {
            String stat = Files.readString(SELF.resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return new long[] {Long.parseLong(fields[11]), Long.parseLong(fields[12])};
        } catch (IOException | RuntimeException problem) {
            return new long[] {1, 0};
        }
    }

    static String architecture() {
        String name = System.getProperty("os.arch");
        return switch (name) {
            case "amd64" -> "x86_64";
            case "i386", "x86" -> "i686";
            default -> name;
        };
    }

    /** The virtual machine and its compiler, which is what makes machine code of the library. */
    static String virtualMachine() {
        String compiler = ManagementFactory.getCompilationMXBean() == null
                ? "interpreter"
                : ManagementFactory.getCompilationMXBean().getName();
        return System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version") + ", " + compiler;
    }

    /** Options, collectors and heap limit. */
    static String flags() {
        List<String> options = ManagementFactory.getRuntimeMXBean().getInputArguments();
        String collectors = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName).collect(Collectors.joining(" + "));
        return String.join(" ", options) + "; collectors " + collectors + "; heap at most "
                + Runtime.getRuntime().maxMemory() + " B";
    }

    /**
     * The virtual machine's switches for putting instructions of the processor in place of code of the JDK, as far as
     * this one has them: it turns off by itself what the processor lacks.
     */
    static String intrinsics() {
        return Stream.of("UseAES", "UseAESIntrinsics", "UseAESCTRIntrinsics", "UseGHASHIntrinsics",
                "UseChaCha20Intrinsics", "UsePoly1305Intrinsics", "UseMD5Intrinsics", "UseSHA", "UseSHA1Intrinsics",
                "UseSHA256Intrinsics", "UseSHA512Intrinsics", "UseSHA3Intrinsics").map(ProcessInfo::option)
                .flatMap(Optional::stream).collect(Collectors.joining(" "));
    }

    /** Vector instructions that the compiler may use for any code. */
    static String vectors() {
        return option("UseAVX").or(() -> option("UseNEON")).orElse("");
    }

    private static Optional<String> option(String name) {
        var machine = ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class);
        try {
            return Optional.of(name + "=" + machine.getVMOption(name).getValue());
        } catch (RuntimeException unknown) {
            return Optional.empty();
        }
    }
}
