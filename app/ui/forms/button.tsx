import type { ButtonHTMLAttributes, ReactNode } from "react";

export type ButtonLook = "primary" | "plain" | "danger" | "quiet";

const buttonLookClasses: Record<ButtonLook, string> = {
  primary: "border-transparent bg-brand text-brand-ink hover:[filter:brightness(1.1)]",
  plain: "border-edge bg-card text-ink hover:bg-brand-soft",
  danger: "border-bad bg-card text-bad hover:bg-bad-soft",
  quiet: "border-transparent text-brand hover:bg-brand-soft",
};

/** The classes of a button. */
export function buttonClasses(look: ButtonLook): string {
  return `inline-flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded-control border px-4 py-2 text-center font-semibold no-underline transition disabled:cursor-not-allowed disabled:opacity-50 ${buttonLookClasses[look]}`;
}

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { look?: ButtonLook };

/** A button; submits its form by default. At least 44 px high, for thumbs. */
export function Button({ look = "primary", className = "", type = "submit", ...rest }: ButtonProps) {
  return <button type={type} className={`${buttonClasses(look)} ${className}`} {...rest} />;
}

/** A link that looks like a button. */
export function ButtonLink(props: {
  to: string;
  look?: ButtonLook;
  children: ReactNode;
  className?: string;
}) {
  return (
    <a href={props.to} className={`${buttonClasses(props.look ?? "plain")} ${props.className ?? ""}`}>
      {props.children}
    </a>
  );
}

/** What a button or link is about, for screen readers: it follows the visible words where several on a page have the same ones. */
export function SpokenContext({ of }: { of: ReactNode }) {
  return <span className="sr-only">: {of}</span>;
}

/** A link on a line of its own, high enough for a thumb; inside running text use a plain `<a>`. */
export function TextLink(props: { to: string; children: ReactNode; className?: string }) {
  return (
    <a
      href={props.to}
      className={`inline-flex min-h-11 min-w-11 items-center gap-2 justify-self-start font-semibold text-brand underline underline-offset-4 ${props.className ?? ""}`}
    >
      {props.children}
    </a>
  );
}
