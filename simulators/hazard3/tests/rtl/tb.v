// A Hazard3 with the options of an RP2350, between two ports of a memory that never waits. A store to an address with its highest
// bit set ends the program; memory is then in dump.hex.
module tb (input wire clk, input wire rst_n, output reg done);

reg [31:0] memory [0:262143];
wire [31:0] fetch_address, address, written;
wire [1:0] fetch_transfer, transfer;
wire [2:0] size;
wire write;
reg [31:0] fetched, data_address;
reg data_write, data_valid;
reg [2:0] data_size;
wire [31:0] loaded = memory[data_address[19:2]];

hazard3_cpu_2port #(
    .RESET_VECTOR(32'h0), .MTVEC_INIT(32'h40),
    .EXTENSION_A(1), .EXTENSION_C(1), .EXTENSION_M(1), .EXTENSION_ZBA(1), .EXTENSION_ZBB(1), .EXTENSION_ZBC(0),
    .EXTENSION_ZBS(1), .EXTENSION_ZBKB(1), .EXTENSION_ZCB(1), .EXTENSION_ZCMP(1), .EXTENSION_ZIFENCEI(1),
    .EXTENSION_XH3BEXTM(1), .EXTENSION_XH3IRQ(1), .EXTENSION_XH3PMPM(1), .EXTENSION_XH3POWER(1),
    .CSR_M_MANDATORY(1), .CSR_M_TRAP(1), .CSR_COUNTER(1), .U_MODE(1), .PMP_REGIONS(8), .DEBUG_SUPPORT(1),
    .BREAKPOINT_TRIGGERS(4), .NUM_IRQS(52), .IRQ_PRIORITY_BITS(4), .REDUCED_BYPASS(0), .MULDIV_UNROLL(2),
    .MUL_FAST(1), .MUL_FASTER(1), .MULH_FAST(1), .FAST_BRANCHCMP(1), .BRANCH_PREDICTOR(1)
) cpu (
    .clk(clk), .clk_always_on(clk), .rst_n(rst_n), .pwrup_req(), .pwrup_ack(1'b1), .clk_en(), .unblock_out(), .unblock_in(1'b0),
    .i_haddr(fetch_address), .i_hwrite(), .i_htrans(fetch_transfer), .i_hsize(), .i_hburst(), .i_hprot(), .i_hmastlock(),
    .i_hmaster(), .i_hready(1'b1), .i_hresp(1'b0), .i_hwdata(), .i_hrdata(fetched),
    .d_haddr(address), .d_hwrite(write), .d_htrans(transfer), .d_hsize(size), .d_hburst(), .d_hprot(), .d_hmastlock(),
    .d_hmaster(), .d_hexcl(), .d_hready(1'b1), .d_hresp(1'b0), .d_hexokay(1'b1), .d_hwdata(written), .d_hrdata(loaded),
    .dbg_req_halt(1'b0), .dbg_req_halt_on_reset(1'b0), .dbg_req_resume(1'b0), .dbg_halted(), .dbg_running(),
    .dbg_data0_rdata(32'h0), .dbg_data0_wdata(), .dbg_data0_wen(), .dbg_instr_data(32'h0), .dbg_instr_data_vld(1'b0),
    .dbg_instr_data_rdy(), .dbg_instr_caught_exception(), .dbg_instr_caught_ebreak(), .dbg_sbus_addr(32'h0),
    .dbg_sbus_write(1'b0), .dbg_sbus_size(2'h0), .dbg_sbus_vld(1'b0), .dbg_sbus_rdy(), .dbg_sbus_err(),
    .dbg_sbus_wdata(32'h0), .dbg_sbus_rdata(), .irq(52'h0), .soft_irq(1'b0), .timer_irq(1'b0)
);

initial begin
    $readmemh("prog.hex", memory);
    done = 0;
end

always @(posedge clk) begin
    fetched <= fetch_transfer[1] ? memory[fetch_address[19:2]] : 32'hx;
    data_valid <= transfer[1];
    data_write <= write;
    data_address <= address;
    data_size <= size;
    if (data_valid && data_write) begin
        if (data_address[31])
            done <= 1;
        else case (data_size)
            0: memory[data_address[19:2]][8 * data_address[1:0] +: 8] <= written[8 * data_address[1:0] +: 8];
            1: memory[data_address[19:2]][16 * data_address[1] +: 16] <= written[16 * data_address[1] +: 16];
            default: memory[data_address[19:2]] <= written;
        endcase
    end
end

final begin
    $writememh("dump.hex", memory);
end

endmodule
