import { z } from "@hono/zod-openapi"
import { CONSENT_STATUSES } from "../../../drizzle/schema/consents.ts"
import {
  choice,
  clearable,
  id,
  keepIfNone,
  keepIfNull,
  moment,
  optional,
  requiredText,
  text,
  time,
} from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { consentColumns } from "./consent-columns.ts"

const consentId = () =>
  z
    .preprocess((value) => (typeof value === "number" ? String(value) : value), requiredText(100))
    .openapi({ type: "string", maxLength: 100, description: "The id of the consent text that the user saw" })

const ipAddress = () =>
  z.union([z.ipv4(), z.ipv6()], { error: "must be an IPv4 or IPv6 address" }).openapi({ type: "string" })

export const newConsent = z
  .object({
    userId: optional(id()).openapi({ type: "integer", description: "Defaults to the caller" }),
    consentId: consentId(),
    status: choice(CONSENT_STATUSES),
    country: optional(text(100)),
    consentDate: optional(time()).openapi({
      type: "string",
      format: "date-time",
      description: "For consents imported from another system; only staff can set it. Defaults to now",
    }),
    ipAddress: optional(ipAddress()).openapi({
      type: "string",
      description: "For consents imported from another system; only staff can set it. Defaults to the caller's address",
    }),
  })
  .openapi("NewConsent")
export type NewConsent = z.output<typeof newConsent>

export const consentChanges = z
  .object({
    consentId: keepIfNull(consentId()),
    status: keepIfNone(choice(CONSENT_STATUSES)),
    country: clearable(text(100), ""),
    consentDate: keepIfNone(moment()),
    ipAddress: keepIfNone(ipAddress()),
  })
  .openapi("ConsentChanges")
export type ConsentChanges = z.output<typeof consentChanges>

export const consent = consentColumns.row.openapi("UserConsent")

export const consentListQuery = listQuery(Object.keys(consentColumns.sort), {
  userId: optional(id()),
  status: optional(choice(CONSENT_STATUSES)),
})
export const consentList = listResponse(consent)

export const userConsents = z.object({
  userConsents: z.array(consent),
  total: z.number().int().openapi({ description: "The number of consents visible to the caller, before filters" }),
  recordsFiltered: z.number().int().openapi({ description: "The number of consents that match the filters" }),
})
