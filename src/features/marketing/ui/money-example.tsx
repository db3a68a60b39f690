type MoneyExampleProps = {
  /** What was bought, in a sentence. */
  order: string;
  /** Dollars as text, made by the rules that book real orders. */
  money: { paid: string; cardFee: string; share: string; kept: string };
};

/** One order and where its money goes, as a small bill. */
export function MoneyExample({ order, money }: MoneyExampleProps) {
  const lines = [
    { name: 'The parent pays', value: money.paid },
    { name: 'Card fee', value: `− ${money.cardFee}` },
    { name: 'Sideline', value: `− ${money.share}` },
  ];
  return (
    <div className="grid items-center gap-x-14 gap-y-5 md:grid-cols-2">
      <p className="max-w-md font-display text-lg font-semibold text-balance sm:text-xl">{order}</p>
      <dl className="rounded-lg border border-line bg-paper px-5 py-2 tabular-nums">
        {lines.map(({ name, value }) => (
          <div key={name} className="flex justify-between gap-4 border-b border-line py-2.5 text-sm">
            <dt className="text-quiet">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div className="flex items-baseline justify-between gap-4 py-3">
          <dt className="font-semibold">The team keeps</dt>
          <dd className="font-display text-xl font-semibold text-accent-text">{money.kept}</dd>
        </div>
      </dl>
    </div>
  );
}
