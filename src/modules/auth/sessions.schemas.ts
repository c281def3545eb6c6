import { z } from "@hono/zod-openapi"
import { errorBody } from "../../http/error-responses.ts"
import { boolean, line, optional } from "../../lib/input/input.ts"
import { normalizedString, normalizeText } from "../../lib/text/text.ts"

export const credentials = z.object({
  email: normalizedString(normalizeText, 254, 1).openapi({ type: "string", format: "email" }),
  password: z.string().min(1).max(512).openapi({ format: "password" }),
  code: optional(z.string().max(40)).openapi({
    type: "string",
    description: "With two-factor on: the authenticator's code, or a recovery code",
  }),
  device: optional(line(100)).openapi({
    type: "string",
    maxLength: 100,
    description: "What the device is called: JSON also answers a refresh token, for `/session/refresh`",
    example: "Ada's phone",
  }),
  next: optional(z.string().max(2000)).openapi({
    type: "string",
    description: "Where a form goes on to: a path of this origin",
  }),
})
export type Credentials = z.output<typeof credentials>

export const signOutInput = z.object({
  everywhere: optional(boolean()).openapi({ type: "boolean", description: "Ends all of the user's sessions" }),
})
export type SignOutInput = z.output<typeof signOutInput>

/** What a refused sign-in is answered: what the next step is, where there is one. */
export const signInRefused = errorBody
  .extend({
    twoFactorRequired: z.literal(true).optional().openapi({ description: "Send `code` as well" }),
    passwordChangeRequired: z.literal(true).optional().openapi({ description: "The password was a temporary one" }),
    setPasswordUrl: z.string().optional().openapi({ description: "Where the user chooses one of their own" }),
  })
  .openapi("SignInRefused")

export const signInElsewhere = errorBody
  .extend({
    signInUrl: z.string().optional().openapi({ description: "Where the sign-in by the person's provider begins" }),
  })
  .openapi("SignInElsewhere")

/** What JSON is answered. */
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
