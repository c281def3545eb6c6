import { z } from "@hono/zod-openapi"

export const keyInPath = z.object({
  key: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .openapi({ param: { name: "key", in: "path", required: true }, description: "An API key of the provider" }),
})

export const validity = z.object({
  message: z.string(),
  status: z
    .enum(["success", "error"])
    .openapi({ description: "error: the provider rejects the key, or no provider is configured" }),
})

export const providerGroupLookup = z.object({
  isEnabled: z.boolean().openapi({ description: "false: no provider or no key for it is configured" }),
  data: z.array(z.object({ id: z.number().int(), name: z.string() }).openapi("CredentialGroup")),
})
