import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Link } from "react-router";

type Look = "primary" | "plain" | "danger";

const looks: Record<Look, string> = {
  primary: "bg-brand text-brand-ink hover:opacity-90",
  plain: "border border-line bg-card text-ink hover:bg-brand-soft",
  danger: "border border-bad bg-card text-bad hover:bg-bad-soft",
};

function classes(look: Look): string {
  return `inline-flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded-lg px-4 py-2 text-base font-semibold no-underline disabled:cursor-not-allowed disabled:opacity-50 ${looks[look]}`;
}

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { look?: Look };

/** A button; submits its form unless told otherwise. At least 44 px high: made for thumbs. */
export function Button({ look = "primary", className = "", type = "submit", ...rest }: ButtonProps) {
  return <button type={type} className={`${classes(look)} ${className}`} {...rest} />;
}

/** A link that looks like a button. */
export function ButtonLink(props: { to: string; look?: Look; children: ReactNode; className?: string }) {
  return (
    <Link to={props.to} className={`${classes(props.look ?? "plain")} ${props.className ?? ""}`}>
      {props.children}
    </Link>
  );
}
