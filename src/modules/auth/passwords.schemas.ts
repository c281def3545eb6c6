import { z } from "@hono/zod-openapi"
import { password } from "../../lib/crypto/password.ts"
import { id, optional } from "../../lib/input/input.ts"
import { normalizedString, normalizeText } from "../../lib/text/text.ts"

export const newOwnPassword = z
  .object({
    token: z.string().min(1).max(200).openapi({ description: "The token of the link" }),
    password: password(),
    password_confirmation: z.string().optional().openapi({ format: "password" }),
  })
  .refine((input) => input.password_confirmation === undefined || input.password === input.password_confirmation, {
    path: ["password_confirmation"],
    error: "must match password",
  })
export type NewOwnPassword = z.output<typeof newOwnPassword>

export const passwordLinkRequest = z.object({
  email: normalizedString(normalizeText, 254, 1).openapi({
    type: "string",
    format: "email",
    description: "The email address of the account",
  }),
})

export const resend = z.object({
  user_id: id(),
  portalId: optional(id()).openapi({
    type: "integer",
    minimum: 1,
    description: "The portal on whose behalf the email is sent",
  }),
})
export type Resend = z.output<typeof resend>

export const resent = z.object({ status: z.literal("success"), message: z.string() })
