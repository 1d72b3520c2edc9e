package org.motebench.probe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The request {@code file}: a whole file from disk to disk, timed. */
final class WholeFile {
    private static final int DEFAULT_CHUNK = 65536;
    private static final int CACHE_SECONDS = 60;

    private final Library library;
    private final Work.Buffers buffers;
    private Work work;
    private Operation operation;
    private boolean writes;
    private Path source;
    private Path destination;
    private boolean sync;
    private byte[] chunk;
    private long total;
    private long read;
    private long written;
    private byte[] result = Job.EMPTY;

    WholeFile(Library library, Work.Buffers buffers) {
        this.library = library;
        this.buffers = buffers;
    }

    Map<String, Object> process(Request request) throws Exception {
        read(request);
        if (request.flag("cold")) {
            dropFromCache(source);
        }
        if (work != null) {
            buffers.reserve(0);
            work.job().out = buffers.out;
            work.open();
            work.engine().start();
        }
        long[] splitBefore = ProcessInfo.userAndSystem();
        long cpuBefore = ProcessInfo.processorTime();
        long before = System.nanoTime();
        try {
            transfer();
        } catch (Rejected rejected) {
            remove();
            return Map.of("rejected", true);
        } catch (IOException problem) {
            remove();
            throw new Failure(Failure.ERROR, problem.getClass().getSimpleName() + ": " + problem.getMessage());
        } catch (Exception | OutOfMemoryError problem) {
            remove();
            throw problem;
        }
        long elapsed = System.nanoTime() - before;
        long cpu = ProcessInfo.processorTime() - cpuBefore;
        return reply(elapsed, cpu, splitBefore, ProcessInfo.userAndSystem());
    }

    private void read(Request request) throws Failure {
        String name = request.text("op");
        operation = switch (name) {
            case "encrypt-file" -> Operation.ENCRYPT_MESSAGE;
            case "decrypt-file" -> Operation.DECRYPT_MESSAGE;
            case "digest-file" -> Operation.DIGEST;
            case "mac-file" -> Operation.MAC;
            case "sign-file" -> Operation.SIGN;
            case "verify-file" -> Operation.VERIFY;
            case "copy-file" -> null;
            default -> throw new Failure(Failure.UNSUPPORTED, "op: not a whole-file operation");
        };
        writes = operation == null || operation.usesNonce();
        chunk = new byte[(int) request.uint("chunk", 1, Work.maxData(), DEFAULT_CHUNK)];
        sync = request.flag("sync");
        source = path(request, "in");
        destination = writes ? path(request, "out") : null;
        try {
            if (!Files.isRegularFile(source)) {
                throw Request.bad("in", Files.exists(source) ? "not a regular file" : "there is no such file");
            }
            if (writes && Files.exists(destination) && Files.isSameFile(source, destination)) {
                throw Request.bad("out", "the same file as the input");
            }
            total = Files.size(source);
        } catch (IOException problem) {
            throw new Failure(Failure.ERROR, "in: " + problem.getMessage());
        }
        if (operation != null) {
            work = new Work(library, buffers);
            work.readJob(request, operation);
            if (!work.job().scheme.stream()) {
                throw new Failure(Failure.UNSUPPORTED,
                        "scheme: the implementation cannot process it in pieces");
            }
        }
    }

    private static Path path(Request request, String key) throws Failure {
        String text = request.text(key);
        try {
            if (!text.isEmpty()) {
                return Path.of(text);
            }
        } catch (InvalidPathException problem) {
            throw Request.bad(key, "this system does not allow such a path");
        }
        throw Request.bad(key, "no path");
    }

    /** Java has no call that drops a file from the page cache; dd of the GNU coreutils has. */
    private static void dropFromCache(Path file) throws Failure, InterruptedException {
        try {
            Process dd = new ProcessBuilder("dd", "if=" + file, "iflag=nocache", "count=0", "status=none")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            dd.getOutputStream().close();
            if (dd.waitFor(CACHE_SECONDS, TimeUnit.SECONDS) && dd.exitValue() == 0) {
                return;
            }
            dd.destroyForcibly();
        } catch (IOException problem) {
            throw new Failure(Failure.UNSUPPORTED, "cold: dd, which empties the page cache, cannot be started");
        }
        throw new Failure(Failure.UNSUPPORTED, "cold: dd could not drop the input from the page cache");
    }

    private void transfer() throws Exception {
        try (FileChannel in = FileChannel.open(source, StandardOpenOption.READ);
                FileChannel out = writes ? FileChannel.open(destination, StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING) : null) {
            ByteBuffer buffer = ByteBuffer.wrap(chunk);
            int length;
            do {
                length = fill(in, buffer);
                read += length;
                if (length > 0 && work == null) {
                    write(out, chunk, length);
                } else if (length > 0) {
                    put(out, work.engine().update(chunk, length));
                }
            } while (length == chunk.length);
            if (read != total) {
                throw new IOException("the input changed its size while it was read");
            }
            if (work != null) {
                finish(out);
            }
            if (sync && out != null) {
                out.force(true);
            }
        }
    }

    /** Reads one chunk, short only at the end of the file. */
    private static int fill(FileChannel in, ByteBuffer buffer) throws IOException {
        buffer.clear();
        while (buffer.hasRemaining() && in.read(buffer) >= 0) {
            continue;
        }
        return buffer.position();
    }

    private void put(FileChannel out, Engine.Piece piece) throws IOException {
        if (piece.length() > 0) {
            write(out, piece.bytes(), piece.length());
        }
    }

    private void finish(FileChannel out) throws Exception {
        Engine.Piece last = work.engine().finish();
        if (!writes) {
            result = Arrays.copyOf(last.bytes(), last.length());
            return;
        }
        int tag = operation.givesTag() ? work.job().tagLength : 0;
        int end = last.length() - tag;
        result = Arrays.copyOfRange(last.bytes(), end, last.length());
        put(out, new Engine.Piece(last.bytes(), end));
    }

    private void write(FileChannel out, byte[] bytes, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
        while (buffer.hasRemaining()) {
            written += out.write(buffer);
        }
    }

    /** An output that is not whole must not stay; what was no file of ours, like a device, stays. */
    private void remove() {
        try {
            if (writes && Files.isRegularFile(destination)) {
                Files.delete(destination);
            }
        } catch (IOException problem) {
            System.err.println("cannot remove " + destination + ": " + problem.getMessage());
        }
    }

    private Map<String, Object> reply(long elapsed, long cpu, long[] before, long[] after) throws Failure {
        long user = after[0] - before[0];
        long system = after[1] - before[1];
        // Processor time is exact, its split only to what the kernel samples: share it out.
        long userTime = user + system == 0 ? cpu : Math.min(cpu, Math.round((double) cpu * user / (user + system)));
        Map<String, Object> reply = new LinkedHashMap<>();
        reply.put("elapsed", elapsed);
        reply.put("user", userTime);
        reply.put("system", cpu - userTime);
        reply.put("read", read);
        reply.put("written", written);
        reply.put("peak", ProcessInfo.peakResident());
        if (operation != null && operation != Operation.VERIFY && (!writes || work.hasTag())) {
            reply.put("result", result);
        }
        return reply;
    }
}
