package org.motebench.probe;

import java.util.List;

/** Engines of one operation that take turns, one for each iteration, each with an input and buffers of its own. */
final class Turning extends Engine {
    private final List<Work> turns;
    private int next;

    Turning(Job job, List<Work> turns) {
        super(job);
        this.turns = turns;
    }

    @Override
    public void open() throws Exception {
        for (Work turn : turns) {
            turn.open();
        }
    }

    @Override
    public void start() throws Exception {
        for (Work turn : turns) {
            turn.restart();
        }
    }

    @Override
    public void run(int n) throws Exception {
        for (int i = 0; i < n; i++) {
            turns.get(next).engine().run(1);
            next = next + 1 < turns.size() ? next + 1 : 0;
        }
    }
}
