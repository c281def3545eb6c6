import { recordOperations } from "../../http/crud.ts"
import { createApp } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { reviewColumns } from "./review-columns.ts"
import { createReview, deleteReviews, getReview, listReviews, updateReview } from "./reviews.queries.ts"
import * as schemas from "./reviews.schemas.ts"

export const reviews = createApp()

const declared = recordOperations({
  tag: "Reviews",
  names: ["a review", "reviews"],
  paths: {
    create: "/api/review/create",
    list: "/api/review/tabularlist",
    record: "/api/review/{id}",
    delete: "/api/review/delete",
  },
  access: { read: "general", change: "general" },
  newRecord: schemas.newReview,
  changes: schemas.reviewChanges,
  listQuery: schemas.reviewListQuery,
  list: schemas.reviewList,
  record: schemas.review,
  describe: {
    create: [
      "Users can review each course that they are enrolled in once.",
      "Below staff, callers can write only their own reviews; others can write reviews for users that they may change.",
    ].join(" "),
    remove: "Below staff, callers can delete only their own reviews; other ids count as unknown.",
  },
})

reviews.openapi(declared.create, async (c) => c.json(await createReview(c.var.work, c.req.valid("json")), 200))

reviews.openapi(declared.list, async (c) =>
  c.json(listPage(c, await listReviews(c.var.db, c.var.caller, c.req.valid("query")), reviewColumns.toRow), 200),
)

reviews.openapi(declared.read, async (c) =>
  c.json(withEtag(c, await getReview(c.var.db, c.var.caller, c.req.valid("param").id), reviewColumns.toRow), 200),
)

reviews.openapi(declared.change, async (c) =>
  c.json(await updateReview(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)), 200),
)

reviews.openapi(declared.remove, async (c) =>
  c.json(await deleteReviews(c.var.work, c.req.valid("json").delete_ids), 200),
)
