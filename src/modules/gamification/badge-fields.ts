import { z } from "@hono/zod-openapi"
import { badges } from "../../../drizzle/schema/badges.ts"
import { clearable, integer, name, text } from "../../lib/input/input.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, nameColumn, sortedIntegerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"
import { absoluteUrl } from "../../lib/text/urls.ts"
import type { BaseUrlContext } from "../../lib/web/answers.ts"

/** The maximum points of an award. */
export const MAX_POINTS = 1_000_000

const iconUrl = () =>
  text(2000)
    .pipe(z.string().regex(/^(https?:\/\/|\/(?!\/))\S+$/i, { error: "must be an image's http(s) URL or a path" }))
    .openapi({ type: "string", format: "uri" })

const organizationId = z.union([z.number().int().positive(), text(100).refine((input) => input !== "0")])

export const badgeFields = recordFields(badges, {
  title: { create: name(), answer: nameColumn(badges.title), listed: true, searched: true },
  badgeIconUrl: {
    create: iconUrl(),
    answer: column(badges.badgeIconUrl, z.string(), {
      show: (url, { base }: BaseUrlContext) => absoluteUrl(base, url),
      // The list sorts by the full URL.
      sort: { sorted: badges.badgeIconUrl },
    }),
    listed: true,
  },
  points: {
    create: clearable(integer(0, MAX_POINTS), 0).openapi({
      type: "integer",
      minimum: 0,
      maximum: MAX_POINTS,
      description: "Points of each award. Defaults to 0",
    }),
    answer: sortedIntegerColumn(badges.points),
    listed: true,
  },
  defaultIconUrl: {
    create: clearable(iconUrl()).openapi({ type: ["string", "null"] }),
    answer: column(badges.defaultIconUrl, z.string().nullable(), {
      show: (url, { base }: BaseUrlContext) => url && absoluteUrl(base, url),
    }),
  },
  organizationId: {
    create: clearable(organizationId).openapi({
      type: ["string", "integer", "null"],
      description: "For clients; returned as given",
    }),
    answer: column(badges.organizationId, z.union([z.string(), z.number().int()]).nullable()),
  },
})

const id = integerColumn(badges.id)

/** The columns of the list of badges. */
export const badgeColumns = listColumns({ id, ...badgeFields.listed })

/** The columns of one badge. */
export const badgeDetails = listColumns({ id, ...badgeFields.answers })
