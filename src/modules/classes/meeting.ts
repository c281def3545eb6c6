import type { Bindings } from "../../env.ts"

/** The name of the webinar's meeting; by default, it has the id of the class. */
export const meetingName = (classId: number, meetingId: string) => meetingId || `class-${classId}`

/** The address of the meeting without a credential; undefined if no provider is configured. */
export function meetingUrl(env: Bindings, meetingId: string): URL | undefined {
  if (!meetingId || !URL.canParse(env.WEBINAR_URL)) return undefined
  const base = new URL(env.WEBINAR_URL)
  if (base.protocol !== "https:") return undefined
  base.pathname = `${base.pathname.replace(/\/$/, "")}/${encodeURIComponent(meetingId)}`
  return base
}

/** The URL that launches the webinar of a class enrollment. */
export const webinarLaunchUrl = (base: string, registrationId: number) =>
  `${base}/api/class/webinar/launch?registrationId=${registrationId}`
