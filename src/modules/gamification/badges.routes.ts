import { createdResponse, messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { storedUrl } from "../../lib/text/urls.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { badgeColumns, badgeDetails } from "./badge-fields.ts"
import {
  awardBadge,
  createBadge,
  deleteBadges,
  getBadge,
  listBadges,
  listUserBadges,
  updateBadge,
} from "./badges.queries.ts"
import * as schemas from "./badges.schemas.ts"

export const badges = createApp()

const tag = "Badges"

/** Icons as they are kept. */
const kept = (base: string, given: schemas.NewBadge): schemas.NewBadge => ({
  ...given,
  badgeIconUrl: storedUrl(base, given.badgeIconUrl),
  ...(given.defaultIconUrl && { defaultIconUrl: storedUrl(base, given.defaultIconUrl) }),
})

badges.openapi(
  operation({
    operationId: "listBadges",
    method: "get",
    path: "/api/badges/tabularlist",
    summary: "List badges",
    tag,
    access: "staff",
    query: schemas.badgeListQuery,
    answer: schemas.badgeList,
  }),
  async (c) => {
    const service = { base: baseUrl(c) }
    const found = await listBadges(c.var.db, c.req.valid("query"), service)
    return c.json(
      listPage(c, found, (row) => badgeColumns.toRow(row, service)),
      200,
    )
  },
)

badges.openapi(
  operation({
    operationId: "lookUpDefaultBadges",
    method: "get",
    path: "/api/badges/defaultBadgeLookUp",
    summary: "Look up the default icons",
    tag,
    access: "general",
    answer: schemas.defaultIcons,
  }),
  (c) =>
    c.json(
      schemas.DEFAULT_ICONS.map((value) => ({ value, url: `${baseUrl(c)}/assets/badge-${value}.svg` })),
      200,
    ),
)

badges.openapi(
  operation({
    operationId: "createBadge",
    method: "post",
    path: "/api/badge/create",
    summary: "Create a badge",
    tag,
    access: "staff",
    body: schemas.newBadge,
    answer: createdResponse,
  }),
  async (c) => c.json(await createBadge(c.var.work, kept(baseUrl(c), c.req.valid("json"))), 200),
)

badges.openapi(
  operation({
    operationId: "getBadge",
    method: "get",
    path: "/api/badge/{id}",
    summary: "Read a badge",
    tag,
    access: "staff",
    record: true,
    answer: schemas.badge,
  }),
  async (c) => {
    const service = { base: baseUrl(c) }
    const found = await getBadge(c.var.db, c.req.valid("param").id)
    return c.json(
      withEtag(c, found, (row) => badgeDetails.toRow(row, service)),
      200,
    )
  },
)

badges.openapi(
  operation({
    operationId: "updateBadge",
    method: "put",
    path: "/api/badge/{id}",
    summary: "Change a badge",
    description: "Optional fields that are not given stay. What was awarded before keeps the points of its time.",
    tag,
    access: "staff",
    body: schemas.newBadge,
    answer: createdResponse,
    errors: [409, 412],
  }),
  async (c) => {
    const { id } = c.req.valid("param")
    const input = kept(baseUrl(c), c.req.valid("json"))
    return c.json(await updateBadge(c.var.work, id, input, expectedVersion(c)), 200)
  },
)

badges.openapi(
  operation({
    operationId: "deleteBadges",
    method: "post",
    path: "/api/badge/delete",
    summary: "Delete badges",
    description: "A badge that a user holds or that a gamification event gives is kept, and counted.",
    tag,
    access: "staff",
    body: schemas.badgeDeletion,
    answer: messageResponse,
    errors: [409],
  }),
  async (c) => c.json(await deleteBadges(c.var.work, c.req.valid("json").id), 200),
)

badges.openapi(
  operation({
    operationId: "awardBadge",
    method: "post",
    path: "/api/badge/award",
    summary: "Award a badge to users",
    description: "With its points; once more to a user who holds it.",
    tag,
    access: "staff",
    extension: true,
    body: schemas.award,
    answer: schemas.awarded,
    errors: [404, 409],
  }),
  async (c) => c.json(await awardBadge(c.var.work, c.req.valid("json")), 200),
)

badges.openapi(
  operation({
    operationId: "listUserBadges",
    method: "get",
    path: "/api/user/badges/{id}",
    summary: "Read the badges that a user holds",
    description: "All of them, the last earned first.",
    tag,
    access: "general",
    answer: schemas.userBadges,
  }),
  async (c) => {
    const service = { base: baseUrl(c) }
    const rows = await listUserBadges(c.var.db, c.var.caller, c.req.valid("param").id)
    return c.json(
      rows.map((row) => ({ ...badgeDetails.toRow(row, service), count: row.count })),
      200,
    )
  },
)
