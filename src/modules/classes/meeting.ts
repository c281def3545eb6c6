import type { Bindings } from "../../env.ts"

/** What the meeting of a class held online is called where it has no name of its own. */
export const meetingName = (classId: number, meetingId: string) => meetingId || `class-${classId}`

/** The meeting's address at the provider, without a credential; undefined: no provider is configured. */
export function meetingUrl(env: Bindings, meetingId: string): URL | undefined {
  if (!meetingId || !URL.canParse(env.WEBINAR_URL)) return undefined
  const base = new URL(env.WEBINAR_URL)
  if (base.protocol !== "https:") return undefined
  base.pathname = `${base.pathname.replace(/\/$/, "")}/${encodeURIComponent(meetingId)}`
  return base
}

/** Where a registration's webinar is launched, for the one whose it is. */
export const webinarLaunchUrl = (base: string, registrationId: number) =>
  `${base}/api/class/webinar/launch?registrationId=${registrationId}`
