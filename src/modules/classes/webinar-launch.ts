import type { Bindings } from "../../env.ts"
import { HOUR, MINUTE, now, SECOND } from "../../lib/clock.ts"
import { signClaims } from "../../lib/crypto/jwt.ts"
import { meetingUrl } from "./meeting.ts"

// Launching a webinar: a link into the provider's meeting with a credential in it, signed with the provider's secret,
// for one user and one class.

/** How long a credential holds. */
const LIFETIME = 2 * HOUR
/** How long before its start a class can be launched. */
export const LAUNCH_WINDOW_MS = 15 * MINUTE

export interface Meeting {
  classId: number
  /** The meeting's name at the provider. */
  meetingId: string
}

export interface MeetingParticipant {
  id: number
  name: string
  email: string
  /** The class's instructor opens and leads the meeting; everybody else attends. */
  role: "host" | "attendee"
}

/** The meeting's address with a guest's credential; undefined: no provider is configured. */
export async function signLaunchUrl(env: Bindings, issuer: string, meeting: Meeting, guest: MeetingParticipant) {
  const url = meetingUrl(env, meeting.meetingId)
  if (!url || !env.WEBINAR_SECRET) return undefined
  const issuedAt = Math.floor(now() / SECOND)
  const token = await signClaims(
    {
      iss: issuer,
      aud: url.origin,
      sub: String(guest.id),
      name: guest.name,
      email: guest.email,
      role: guest.role,
      class_id: meeting.classId,
      meeting_id: meeting.meetingId,
      jti: crypto.randomUUID(),
      iat: issuedAt,
      exp: issuedAt + LIFETIME / SECOND,
    },
    env.WEBINAR_SECRET,
  )
  url.searchParams.set("token", token)
  return url.href
}
