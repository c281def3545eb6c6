import { z } from "@hono/zod-openapi"
import { clearable, id, integer, keepIfNone, optional, text } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { reviewColumns } from "./review-columns.ts"

const fields = { rating: integer(1, 5), text: optional(text(5000)) }

export const newReview = z
  .object({
    userId: optional(id()).openapi({ type: "integer", description: "Defaults to the caller" }),
    courseId: id(),
    ...fields,
  })
  .openapi("NewReview")
export type NewReview = z.output<typeof newReview>

export const reviewChanges = z
  .object({ rating: keepIfNone(fields.rating), text: clearable(text(5000), "") })
  .openapi("ReviewChanges")
export type ReviewChanges = z.output<typeof reviewChanges>

export const review = reviewColumns.row.openapi("Review")
export const reviewListQuery = listQuery(Object.keys(reviewColumns.sort), {
  courseId: optional(id()),
  userId: optional(id()),
  rating: optional(fields.rating),
})
export const reviewList = listResponse(review)
