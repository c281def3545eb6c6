import { NEXT_UPDATED_AT } from "../schema/columns.ts"
import { consents } from "../schema/consents.ts"
import { reviews } from "../schema/reviews.ts"
import { rowCounter, trigger } from "./declare.ts"

export const consentTriggers = rowCounter(consents)

export const reviewTriggers = [
  ...rowCounter(reviews, {
    inserted: [
      `
      UPDATE courses SET
        rating_sum = rating_sum + new.rating,
        rating_count = rating_count + 1,
        updated_at = ${NEXT_UPDATED_AT}
      WHERE id = new.course_id`,
    ],
    deleted: [
      `
      UPDATE courses SET
        rating_sum = rating_sum - old.rating,
        rating_count = rating_count - 1,
        updated_at = ${NEXT_UPDATED_AT}
      WHERE id = old.course_id`,
    ],
  }),
  trigger(
    "reviews_rating_changed",
    { on: reviews, after: "update", of: [reviews.rating] },
    `
    UPDATE courses SET
      rating_sum = rating_sum + new.rating - old.rating,
      updated_at = ${NEXT_UPDATED_AT}
    WHERE id = new.course_id`,
  ),
]
