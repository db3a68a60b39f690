/** The lines of a playing field, large and faint: decoration in place of a missing picture. */
export function FieldLines({ className }: { className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 1278 500"
      preserveAspectRatio="xMidYMid slice"
      className={className}
      fill="none"
      stroke="currentColor"
      strokeWidth="3"
    >
      <path d="M-40 470 L1318 470 M-40 40 L1318 40 M639 40 V470" />
      <circle cx="639" cy="255" r="92" />
      <circle cx="639" cy="255" r="4" fill="currentColor" />
      <path d="M-40 120 H150 V390 H-40 M-40 185 H62 V325 H-40 M150 205 A72 72 0 0 1 150 305" />
      <path d="M1318 120 H1128 V390 H1318 M1318 185 H1216 V325 H1318 M1128 205 A72 72 0 0 0 1128 305" />
    </svg>
  );
}
