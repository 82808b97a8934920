/** A person's one or two letters in a round; who it is stands beside it in words. */
export function Avatar({ initials, large = false }: { initials: string; large?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={`grid shrink-0 place-items-center rounded-full bg-brand-soft font-bold text-brand ${large ? "size-16 text-xl" : "size-9 text-sm"}`}
    >
      {initials}
    </span>
  );
}
