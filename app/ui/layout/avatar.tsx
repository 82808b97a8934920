/** A person's one or two initials in a circle; their name is beside it as text. */
export function Avatar({ initials, large = false }: { initials: string; large?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={`shrink-0 rounded-full text-center bg-brand-soft font-bold text-brand ${large ? "size-16 text-xl leading-16" : "size-9 text-sm leading-9"}`}
    >
      {initials}
    </span>
  );
}
