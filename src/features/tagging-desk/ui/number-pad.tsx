import type { ReactNode } from 'react';
import { cx } from '#src/ui/cx.ts';

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

type NumberPadProps = {
  /** A digit, a space, or `Backspace`. */
  onKey: (key: string) => void;
  onNext: () => void;
  onSame: () => void;
  onBurst: () => void;
  onNobody: () => void;
};

/**
 * Replaces the keyboard on touch screens: digits, and the four most used keys. With large text it is below the field
 * instead of over it.
 */
export function NumberPad({ onKey, onNext, onSame, onBurst, onNobody }: NumberPadProps) {
  return (
    <div
      role="group"
      aria-label="Number pad"
      className="-mx-2 -mb-2 hidden grid-cols-4 gap-1.5 bg-stage p-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] pointer-coarse:grid [@media(min-height:40rem)]:sticky [@media(min-height:40rem)]:bottom-0"
    >
      {DIGITS.slice(0, 3).map((digit) => (
        <PadKey key={digit} onPress={() => onKey(digit)}>
          {digit}
        </PadKey>
      ))}
      <PadKey isMain onPress={onNext}>
        Next
      </PadKey>
      {DIGITS.slice(3, 6).map((digit) => (
        <PadKey key={digit} onPress={() => onKey(digit)}>
          {digit}
        </PadKey>
      ))}
      <PadKey isWord onPress={onSame}>
        Same
      </PadKey>
      {DIGITS.slice(6).map((digit) => (
        <PadKey key={digit} onPress={() => onKey(digit)}>
          {digit}
        </PadKey>
      ))}
      <PadKey isWord onPress={onBurst}>
        Burst
      </PadKey>
      <PadKey isWord label="Another number" onPress={() => onKey(' ')}>
        ␣
      </PadKey>
      <PadKey onPress={() => onKey('0')}>0</PadKey>
      <PadKey isWord label="Delete a digit" onPress={() => onKey('Backspace')}>
        ⌫
      </PadKey>
      <PadKey isWord onPress={onNobody}>
        Nobody
      </PadKey>
    </div>
  );
}

type PadKeyProps = {
  label?: string;
  isMain?: boolean;
  isWord?: boolean;
  onPress: () => void;
  children: ReactNode;
};

function PadKey({ label, isMain = false, isWord = false, onPress, children }: PadKeyProps) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onPress}
      className={cx(
        'min-h-12 min-w-0 touch-manipulation rounded px-1 font-semibold select-none active:opacity-70',
        isMain || isWord ? 'text-[min(var(--text-sm),4.6vw)]' : 'text-lg tabular-nums',
        isMain ? 'bg-accent text-on-accent' : isWord ? 'border border-line-strong' : 'bg-surface',
      )}
    >
      {children}
    </button>
  );
}
