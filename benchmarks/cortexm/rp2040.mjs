// Runs a raw image in rp2040js until its breakpoint: node rp2040.mjs firmware.bin
import { readFileSync } from 'node:fs';
import { RP2040 } from 'rp2040js';

const BASE = 0x10000000;
const image = readFileSync(process.argv[2]);
const chip = new RP2040();
let running = true;
chip.onBreak = () => { running = false; };
chip.flash.set(image);
chip.core.SP = image.readUInt32LE(0);
chip.core.PC = image.readUInt32LE(4) & ~1;
chip.core.VTOR = BASE;
const start = process.cpuUsage();
while (running) {
  for (let i = 0; i < 1000 && running; i++) {
    chip.core.executeInstruction();
  }
}
const used = process.cpuUsage(start);
const seconds = (used.user + used.system) / 1e6;
console.log(JSON.stringify({ seconds, cycles: chip.core.cycles, digest: chip.core.registers[4] >>> 0 }));
