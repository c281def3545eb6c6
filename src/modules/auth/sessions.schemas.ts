import { z } from "@hono/zod-openapi"
import { errorBody } from "../../http/error-responses.ts"
import { boolean, line, optional } from "../../lib/input/input.ts"
import { normalizedString, normalizeText } from "../../lib/text/text.ts"

export const credentials = z.object({
  email: normalizedString(normalizeText, 254, 1).openapi({ type: "string", format: "email" }),
  password: z.string().min(1).max(512).openapi({ format: "password" }),
  code: optional(z.string().max(40)).openapi({
    type: "string",
    description: "With two-factor authentication on: the authenticator's code or a recovery code",
  }),
  device: optional(line(100)).openapi({
    type: "string",
    maxLength: 100,
    description: "A name for the device. JSON requests then also get a refresh token for `/session/refresh`",
    example: "Ada's phone",
  }),
  next: optional(z.string().max(2000)).openapi({
    type: "string",
    description: "The path of this origin that a form redirects to",
  }),
})
export type Credentials = z.output<typeof credentials>

export const signOutInput = z.object({
  everywhere: optional(boolean()).openapi({ type: "boolean", description: "Ends all of the user's sessions" }),
})
export type SignOutInput = z.output<typeof signOutInput>

/** The response to a refused sign-in, with the next step if there is one. */
export const signInRefused = errorBody
  .extend({
    twoFactorRequired: z.literal(true).optional().openapi({ description: "Send `code` as well" }),
    passwordChangeRequired: z.literal(true).optional().openapi({ description: "The password was temporary" }),
    setPasswordUrl: z.string().optional().openapi({ description: "Where the user sets their own password" }),
  })
  .openapi("SignInRefused")

export const signInElsewhere = errorBody
  .extend({
    signInUrl: z.string().optional().openapi({ description: "Where the sign-in with the user's provider starts" }),
  })
  .openapi("SignInElsewhere")

/** The JSON response to a sign-in. */
export type OpenedSession = z.output<typeof session>

export const session = z.object({
  token: z.string().openapi({ description: "For `Authorization: Bearer`; 12 hours" }),
  expiresAt: z.iso.datetime(),
  refreshToken: z.string().optional().openapi({ description: "For `/session/refresh`, once and within 30 days" }),
  user: z.object({
    id: z.number().int(),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    userType: z.string(),
  }),
})
