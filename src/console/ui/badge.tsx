import type { ComponentChildren } from "preact"

type Tone = "good" | "info" | "warning" | "danger" | "neutral"

/** The tone of each status of the API, in lower case. Others are neutral. */
const TONES: Record<string, Tone> = {
  ...Object.fromEntries(
    ["completed", "accepted", "attended", "publish", "active", "enabled", "delivered", "passed"].map((status) => [
      status,
      "good" as const,
    ]),
  ),
  ...Object.fromEntries(
    ["in progress", "submitted", "registered", "processing", "waiting", "on_track"].map((status) => [
      status,
      "info" as const,
    ]),
  ),
  ...Object.fromEntries(
    ["returned", "due_soon", "completed_late", "expired", "disabled"].map((status) => [status, "warning" as const]),
  ),
  ...Object.fromEntries(["failed", "overdue", "no show", "suspended"].map((status) => [status, "danger" as const])),
}

interface BadgeProps {
  /** A status of the API, which selects the color. */
  status?: string
  children: ComponentChildren
}

/** A short label, colored by the status that it names. */
export const Badge = ({ status = "", children }: BadgeProps) => (
  <span class={`badge ${TONES[status.toLowerCase()] ?? "neutral"}`}>{children}</span>
)
