import { z } from "@hono/zod-openapi"
import { id, optional } from "../../lib/input/input.ts"

export const twoFactorQuery = z.object({
  user_id: optional(id()).openapi({ type: "integer", minimum: 1, description: "Defaults to the caller" }),
})

const qrCode = z.string().openapi({ description: "SVG markup" })
const uri = z.string().openapi({ example: "otpauth://totp/Lectern:ada%40example.com?secret=…&issuer=Lectern" })
const secret = z.string().openapi({ description: "The secret, in Base32" })

export const twoFactorState = z
  .object({
    is2FactorAuthActive: z.boolean(),
    as_qr_code: qrCode.nullable(),
    as_uri: uri.nullable(),
    as_string: secret.nullable(),
    qr_code: qrCode.nullable(),
    string_code: secret.nullable(),
  })
  .openapi("TwoFactorState", {
    description: "The codes are set while a secret is not confirmed; null before prepare and once two-factor is on.",
  })

export const twoFactorUser = z.object({ user_id: id() })

export const twoFactorPrepared = z.object({ as_qr_code: qrCode, as_uri: uri, as_string: secret })

/** A code as entered: numbers lose their leading zeros, and apps show a space. */
const code = z.preprocess(
  (value) => (typeof value === "number" ? String(value).padStart(6, "0") : value),
  z
    .string()
    .transform((value) => value.replace(/\s/g, ""))
    .pipe(z.string().min(1).max(40)),
)

export const twoFactorConfirmation = z.object({
  user_id: id(),
  secretCode: code.openapi({ type: "string", example: "123456", description: "The code that the app shows" }),
  qrCode: z.string().min(1).openapi({ description: "As returned by prepareTwoFactorAuth" }),
  stringCode: z
    .string()
    .transform((value) => value.replace(/\s/g, "").toUpperCase())
    .pipe(z.string().min(1).max(200))
    .openapi({ type: "string", description: "As returned by prepareTwoFactorAuth" }),
})
export type TwoFactorConfirmation = z.output<typeof twoFactorConfirmation>

export const twoFactorConfirmed = z.object({
  status: z.literal("success"),
  message: z.string(),
  recoveryCodes: z
    .array(z.string())
    .openapi({ description: "Ten codes for signing in without the app. Each works once. They are shown only here." }),
})

export const twoFactorDisabled = z.object({ message: z.string(), qrcode: z.null(), stringcode: z.null() })
