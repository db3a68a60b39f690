import { useEffect, useState } from 'react';
import { codePath, QUIET_MODULES } from '#src/features/sharing/qr-card.rules.ts';

/** A code for phones, drawn here; its library comes with the first one. Empty until then, at its full height. */
export function QrCode({ address, label }: { address: string; label: string }) {
  const [code, setCode] = useState<{ size: number; path: string } | null>(null);
  useEffect(() => {
    let isGone = false;
    const draw = async () => {
      const { default: qrcode } = await import('qrcode');
      const { modules } = qrcode.create(address, { errorCorrectionLevel: 'M' });
      const path = codePath({ size: modules.size, isDark: (row, column) => modules.get(row, column) === 1 });
      if (!isGone) setCode({ size: modules.size, path });
    };
    // Offline: the link beside it says the same.
    draw().catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [address]);
  const side = (code?.size ?? 0) + 2 * QUIET_MODULES;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-QUIET_MODULES} ${-QUIET_MODULES} ${side} ${side}`}
      shapeRendering="crispEdges"
      className="mx-auto aspect-square w-48 rounded border border-line bg-white"
    >
      {code && <path d={code.path} fill="#000" />}
    </svg>
  );
}
