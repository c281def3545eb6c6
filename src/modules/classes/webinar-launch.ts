import type { Bindings } from "../../env.ts"
import { HOUR, MINUTE, now, SECOND } from "../../lib/clock.ts"
import { signClaims } from "../../lib/crypto/jwt.ts"
import { meetingUrl } from "./meeting.ts"

// The launch URL of a webinar has a credential for one user and one class, signed with the provider's secret.

const CREDENTIAL_LIFETIME_MS = 2 * HOUR
/** How long before the start of a session the webinar can be launched. */
export const LAUNCH_WINDOW_MS = 15 * MINUTE

export interface Meeting {
  classId: number
  /** The name of the meeting at the provider. */
  meetingId: string
}

export interface MeetingParticipant {
  id: number
  name: string
  email: string
  /** The instructor of the class is the host. */
  role: "host" | "attendee"
}

/** Returns the meeting's address with the participant's credential; undefined if no provider is configured. */
export async function signLaunchUrl(env: Bindings, issuer: string, meeting: Meeting, participant: MeetingParticipant) {
  const url = meetingUrl(env, meeting.meetingId)
  if (!url || !env.WEBINAR_SECRET) return undefined
  const issuedAt = Math.floor(now() / SECOND)
  const token = await signClaims(
    {
      iss: issuer,
      aud: url.origin,
      sub: String(participant.id),
      name: participant.name,
      email: participant.email,
      role: participant.role,
      class_id: meeting.classId,
      meeting_id: meeting.meetingId,
      jti: crypto.randomUUID(),
      iat: issuedAt,
      exp: issuedAt + CREDENTIAL_LIFETIME_MS / SECOND,
    },
    env.WEBINAR_SECRET,
  )
  url.searchParams.set("token", token)
  return url.href
}
