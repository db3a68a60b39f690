import { describe, expect, it } from 'vitest';
import { createCircuit } from '#src/platform/db/connection-faults.ts';

describe('the circuit', () => {
  function at(): { circuit: ReturnType<typeof createCircuit>; pass(ms: number): void } {
    let now = 0;
    return { circuit: createCircuit(1000, () => now), pass: (ms) => void (now += ms) };
  }

  it('lets all callers try while the database answers', () => {
    const { circuit } = at();
    expect([circuit.mayTry(), circuit.mayTry()]).toEqual([true, true]);
  });

  it('lets no caller try for a second after a connection timed out, then one at a time', () => {
    const { circuit, pass } = at();
    circuit.timedOut();
    expect(circuit.mayTry()).toBe(false);
    pass(1000);
    expect([circuit.mayTry(), circuit.mayTry()]).toEqual([true, false]);
    pass(1000);
    expect(circuit.mayTry()).toBe(true);
  });

  it('lets all callers try again when a probe has succeeded', () => {
    const { circuit, pass } = at();
    circuit.timedOut();
    pass(1000);
    circuit.mayTry();
    circuit.succeeded();
    expect([circuit.mayTry(), circuit.mayTry()]).toEqual([true, true]);
  });
});
