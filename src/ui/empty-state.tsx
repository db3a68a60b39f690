import type { ReactNode } from 'react';

type EmptyStateProps = {
  title: string;
  icon?: ReactNode;
  /** What to do next, as one button. */
  action?: ReactNode;
  /** 1 if it is the whole page. */
  level?: 1 | 2 | 3;
  children?: ReactNode;
};

/** Says what is missing and what to do next. */
export function EmptyState({ title, icon, action, level = 2, children }: EmptyStateProps) {
  const Heading = `h${level}` as const;
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 py-8 text-center">
      {icon && (
        <span
          aria-hidden="true"
          className="mb-1 grid size-14 place-items-center rounded-full bg-accent-tint text-accent-text [&_svg]:size-6"
        >
          {icon}
        </span>
      )}
      <Heading className={level === 1 ? 'text-xl sm:text-2xl' : 'text-lg'}>{title}</Heading>
      {children && <div className="text-pretty text-quiet">{children}</div>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  );
}
