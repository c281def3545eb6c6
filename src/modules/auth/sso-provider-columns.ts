import { z } from "@hono/zod-openapi"
import { ssoProviders } from "../../../drizzle/schema/sso.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import {
  integerColumn,
  type NotNull,
  nameColumn,
  sortedTextColumn,
  textColumn,
} from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import type { BaseUrlContext } from "../../lib/web/answers.ts"
import { callbackUrl, startUrl } from "./sso-addresses.ts"

const sortedBooleanColumn = (source: NotNull<boolean>) => column(source, z.boolean(), { sort: { sorted: source } })

/** The columns of the list of providers and of a single provider. */
export const ssoProviderColumns = listColumns({
  id: integerColumn(ssoProviders.id),
  name: nameColumn(ssoProviders.name),
  slug: textColumn(ssoProviders.slug),
  issuer: sortedTextColumn(ssoProviders.issuer),
  clientId: sortedTextColumn(ssoProviders.clientId),
  hasClientSecret: column(ssoProviders.clientSecret, z.boolean(), { show: (secret) => secret !== null }),
  scopes: sortedTextColumn(ssoProviders.scopes),
  portalId: column(ssoProviders.portalId, z.number().int().nullable()),
  domains: column(ssoProviders.domains, z.array(z.string())),
  claims: column(ssoProviders.claims, z.record(z.string(), z.string())),
  create: sortedBooleanColumn(ssoProviders.creates),
  force: sortedBooleanColumn(ssoProviders.forced),
  active: sortedBooleanColumn(ssoProviders.active),
  startUrl: column(ssoProviders.slug, z.string(), { show: (slug, { base }: BaseUrlContext) => startUrl(base, slug) }),
  callbackUrl: column(ssoProviders.slug, z.string(), {
    show: (slug, { base }: BaseUrlContext) => callbackUrl(base, slug),
  }),
  created_at: dateColumn(ssoProviders.createdAt, { sorted: ssoProviders.createdAt }),
})
