package org.motebench.probe;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.motebench.probe.wire.Frames;

/**
 * Requests, read by a thread of their own: it waits in a read while the probe computes, and sees the end of the stream
 * at once. What was sent before the end is still answered, unless the process that sent it is gone: then the virtual
 * machine stops in the middle.
 */
final class Incoming {
    private static final long LOOK_MILLISECONDS = 50;
    private static final Map<String, Object> END = new HashMap<>(); // known by its identity

    private final Frames frames;
    private final BlockingQueue<Map<String, Object>> requests = new ArrayBlockingQueue<>(1);
    private final Optional<Long> parent = parent();

    Incoming(Frames frames) {
        this.frames = frames;
        Thread reader = new Thread(this::read, "requests");
        reader.setDaemon(true);
        reader.start();
    }

    /** The next request, or null at the end of the stream. */
    Map<String, Object> next() throws InterruptedException {
        Map<String, Object> request = requests.take();
        return request == END ? null : request;
    }

    private void read() {
        try {
            Map<String, Object> request;
            while ((request = receive()) != null) {
                requests.put(request);
            }
            boolean told = false;
            while (parent().equals(parent)) {
                told = told || requests.offer(END, LOOK_MILLISECONDS, TimeUnit.MILLISECONDS);
                Thread.sleep(LOOK_MILLISECONDS);
            }
        } catch (InterruptedException never) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error problem) { // such as a heap that holds no request
            System.err.println("the probe cannot read its requests: " + problem);
        }
        Runtime.getRuntime().halt(1);
    }

    private Map<String, Object> receive() {
        try {
            return frames.receive();
        } catch (IOException broken) {
            return null;
        }
    }

    private static Optional<Long> parent() {
        return ProcessHandle.current().parent().map(ProcessHandle::pid);
    }
}
