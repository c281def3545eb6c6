import { each } from "../lib/client.ts"
import { type Academy, DAY, TEACHER } from "./academy.ts"

const PLACES = [
  { city: "Nairobi", zipcode: "00100", state: "Nairobi County", country: "Kenya" },
  { city: "Lisboa", zipcode: "1100-053", state: "", country: "Portugal" },
  { city: "Toronto", zipcode: "M5V 2T6", state: "Ontario", country: "Canada" },
  { city: "Osaka", zipcode: "530-0001", state: "Osaka", country: "Japan" },
]
const PRICES = [49.9, 79, 24.5]
const ORDER_STATUSES = ["completed", "completed", "pending", "refunded", "failed"]
const CARD_TYPES = ["visa", "mastercard", "amex"]
const REVIEWS = ["Clear and well paced.", "Good, though the third part is long.", "I learned a lot.", ""]

/** Of `values`, the one for a position, over and over. */
const turn = <T>(values: readonly [T, ...T[]] | readonly T[], index: number): T => values[index % values.length] as T

/**
 * Addresses, cards, orders, subscriptions, consents, carts, reviews and sources: learner@example.com has some of each.
 */
export async function people(academy: Academy) {
  const past = new Past(academy)
  await academy.create("/api/user-source/create", "source-fair", { name: "Education fair", identifier: "fair" })
  await academy.create("/api/user-source/create", "source-partner", {
    name: "Partner school",
    identifier: "partner",
    description: "Sent by a school that we work with",
  })

  // Courses are bought where an earlier family made some; memberships else.
  const courses = await academy.sql("select id, 'course', name from courses order by id limit 3")
  const sold = courses.length > 1 ? courses : await academy.sql("select id, 'membership', name from memberships")
  const goods = sold.map(([id, type, name], index) => ({ type, id, name, quantity: 1, price: turn(PRICES, index) }))

  // The first course that each learner takes is the one that they review.
  const taken = await academy.sql("select user_id, min(course_id) from enrollments group by user_id")
  const courseOf = new Map(taken.map(([userId, courseId]) => [userId, courseId]))

  const learners = [academy.userId("learner@example.com"), ...academy.learners()]
  const teacher = await academy.by(TEACHER)
  await each(learners, 4, async (userId, index) => {
    const by = (who: Academy) => (path: string, what: string, body: object) =>
      who.create(path, `${what}-${index}`, { userId, ...body })
    const [make, teach] = [by(academy), by(teacher)]
    const consentId = await teach("/api/user-consent/create", "consent", {
      consentId: "privacy-2026",
      status: index % 8 === 7 ? "rejected" : "accepted",
      country: turn(PLACES, index).country,
      ipAddress: `198.51.100.${index + 1}`,
    })
    past.set("user_consents", consentId, { consent_at: 300 - index * 5, created_at: 300 - index * 5 })
    if (index % 2 === 1) return

    const address = {
      fullName: `Learner ${index + 1}`,
      addressLine1: `${index + 10} Market Street`,
      ...turn(PLACES, index),
    }
    const path = `/api/user/${userId}/addAddress`
    await teacher.create(path, `billing-${index}`, { ...address, isDefault: true, orgName: "Northwind" })
    await teacher.create(path, `shipping-${index}`, { ...address, isDefault: true, type: "shipping" })

    const items = [turn(goods, index), turn(goods, index + 1)]
    const currency = turn(["USD", "EUR"], index / 2)
    const status = turn(ORDER_STATUSES, index / 2)
    const orderId = await make("/api/order/create", "order", { items, currency, status })
    past.set("orders", orderId, { created_at: 200 - index * 4 })
    const cardId = await make("/api/card/create", "card", {
      last4: String(1000 + index * 37),
      payment_gateway_name: "stripe",
      card_type: turn(CARD_TYPES, index / 2),
    })
    // The first pays by card until next year; of the others every third has run out.
    const ended = index % 3 === 2
    const subscriptionId = await make("/api/subscription/create", "subscription", {
      subscription_name: "All courses, yearly",
      total: 199,
      currency,
      ...(ended ? {} : { cardId }),
    })
    const begun = ended ? 400 : 90
    past.set("subscriptions", subscriptionId, { start_at: begun, created_at: begun, end_at: begun - 365 })
    if (index % 4 === 0) {
      const cartId = await make("/api/cart/create", "cart", { items: items.slice(1), currency })
      past.set("carts", cartId, { created_at: index + 1 })
    }
    const courseId = courseOf.get(userId)
    if (courseId !== undefined)
      await make("/api/review/create", "review", {
        courseId,
        rating: 5 - (index % 3),
        text: turn(REVIEWS, index / 2),
      })
  })
  await past.write()
}

/**
 * Dates that no operation sets, or that would make a repeated creation another one: in days ago, written by SQL at the
 * end.
 */
class Past {
  private readonly academy: Academy
  private readonly rows = new Map<string, Record<string, number>[]>()

  constructor(academy: Academy) {
    this.academy = academy
  }

  set(table: string, id: number, days: Record<string, number>) {
    const at = Object.entries(days).map(([column, ago]) => [column, this.academy.at - ago * DAY])
    this.rows.set(table, [...(this.rows.get(table) ?? []), { id, ...Object.fromEntries(at) }])
  }

  async write() {
    for (const [table, rows] of this.rows) {
      const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== "id")
      const set = columns.map((column) => `${column} = row.value ->> '${column}'`).join(", ")
      const given = [JSON.stringify(rows)]
      await this.academy.sql(
        `update ${table} set ${set} from json_each(?) as row where ${table}.id = row.value ->> 'id'`,
        given,
      )
    }
  }
}
