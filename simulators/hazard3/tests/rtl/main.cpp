// Runs the program of prog.hex until it stores to its end address; leaves memory in dump.hex.
#include "Vtb.h"
#include "verilated.h"

int main(int argc, char **argv)
{
    VerilatedContext context;
    context.commandArgs(argc, argv);
    Vtb tb{&context};
    const long longest = 1000000;
    tb.rst_n = 0;
    for (long cycle = 0; cycle < longest && !tb.done; cycle++) {
        tb.rst_n = cycle >= 4;
        tb.clk = 1;
        tb.eval();
        tb.clk = 0;
        tb.eval();
    }
    tb.final();
    return tb.done ? 0 : 1;
}
