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

/** Converts icon URLs to the stored form. */
const withStoredUrls = (base: string, input: schemas.NewBadge): schemas.NewBadge => ({
  ...input,
  badgeIconUrl: storedUrl(base, input.badgeIconUrl),
  ...(input.defaultIconUrl && { defaultIconUrl: storedUrl(base, input.defaultIconUrl) }),
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
    response: schemas.badgeList,
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
    response: schemas.defaultIcons,
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
    response: createdResponse,
  }),
  async (c) => c.json(await createBadge(c.var.work, withStoredUrls(baseUrl(c), c.req.valid("json"))), 200),
)

badges.openapi(
  operation({
    operationId: "getBadge",
    method: "get",
    path: "/api/badge/{id}",
    summary: "Get a badge",
    tag,
    access: "staff",
    record: true,
    response: schemas.badge,
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
    summary: "Update a badge",
    description: "Omitted optional fields keep their values. Existing awards keep their points.",
    tag,
    access: "staff",
    body: schemas.newBadge,
    response: createdResponse,
    errors: [409, 412],
  }),
  async (c) => {
    const { id } = c.req.valid("param")
    const input = withStoredUrls(baseUrl(c), c.req.valid("json"))
    return c.json(await updateBadge(c.var.work, id, input, expectedVersion(c)), 200)
  },
)

badges.openapi(
  operation({
    operationId: "deleteBadges",
    method: "post",
    path: "/api/badge/delete",
    summary: "Delete badges",
    description: "Badges that users have or gamification events award are not deleted, and are counted.",
    tag,
    access: "staff",
    body: schemas.badgeDeletion,
    response: messageResponse,
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
    description: "Awards the badge with its points, also to users who already have it.",
    tag,
    access: "staff",
    extension: true,
    body: schemas.award,
    response: schemas.awarded,
    errors: [404, 409],
  }),
  async (c) => c.json(await awardBadge(c.var.work, c.req.valid("json")), 200),
)

badges.openapi(
  operation({
    operationId: "listUserBadges",
    method: "get",
    path: "/api/user/badges/{id}",
    summary: "List a user's badges",
    description: "All badges, the most recent first.",
    tag,
    access: "general",
    response: schemas.userBadges,
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
