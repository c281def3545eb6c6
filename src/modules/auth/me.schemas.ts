import { z } from "@hono/zod-openapi"
import { KEY_ACCESS, KEY_SCOPES } from "../../../drizzle/schema/api-keys.ts"

const place = z.object({ id: z.number().int(), name: z.string() })

export const me = z
  .object({
    kind: z.enum(["user", "key"]),
    id: z.number().int().openapi({ description: "The user's id, or the API key's" }),
    name: z.string(),
    email: z.string().nullable().openapi({ description: "null: a key has none" }),
    role: z.string(),
    scope: z.object({
      access: z.enum(KEY_ACCESS),
      families: z
        .array(z.string())
        .nullable()
        .openapi({ description: "The families of operations that may be called; null: all" }),
      scopes: z
        .array(z.enum(KEY_SCOPES))
        .openapi({ description: "What an API key is trusted with beyond its role and families; none for a user" }),
      sees: z.enum(["everyone", "members", "itself", "nobody"]).openapi({
        description: "Whose records: everyone's, those of the groups' and portals' members, its own, nobody's",
      }),
      groups: z.array(place).openapi({ description: "The groups that it administers" }),
      portals: z.array(place).openapi({ description: "The portals that it administers" }),
    }),
    expiresAt: z
      .string()
      .nullable()
      .openapi({ format: "date-time", description: "When the token or the key ends; null: never" }),
    academy: z.string().openapi({ description: "The academy's name, as its pages and mails have it" }),
  })
  .openapi("Me")
