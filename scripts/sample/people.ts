import { type Academy, DAY, each } from "./academy.ts"

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

/** Addresses, cards, orders, subscriptions, consents, reviews and sources: learner@example.com has some of each. */
export async function people(academy: Academy) {
  const ago = (days: number) => new Date(academy.at - days * DAY).toISOString()
  await academy.create("/api/user-source/create", "source-fair", { name: "Education fair", identifier: "fair" })
  await academy.create("/api/user-source/create", "source-partner", {
    name: "Partner school",
    identifier: "partner",
    description: "Sent by a school that we work with",
  })

  // Courses are reviewed and bought where an earlier family made some; memberships are bought else.
  const courses = await academy.sql("select id, 'course', name from courses order by id limit 3")
  const sold = courses.length > 1 ? courses : await academy.sql("select id, 'membership', name from memberships")
  const goods = sold.map(([id, type, name], index) => ({ type, id, name, quantity: 1, price: turn(PRICES, index) }))

  const learners = [academy.userId("learner@example.com"), ...academy.learners()]
  await each(learners, 4, async (userId, index) => {
    const make = (path: string, what: string, body: object) =>
      academy.create(path, `${what}-${index}`, { userId, ...body })
    await make("/api/user-consent/create", "consent", {
      consentId: "privacy-2026",
      status: index % 8 === 7 ? "rejected" : "accepted",
      country: turn(PLACES, index).country,
      consentDate: ago(300 - index * 5),
      ipAddress: `198.51.100.${index + 1}`,
    })
    if (index % 2 === 1) return

    const address = {
      fullName: `Learner ${index + 1}`,
      addressLine1: `${index + 10} Market Street`,
      ...turn(PLACES, index),
    }
    const path = `/api/user/${userId}/addAddress`
    await academy.create(path, `billing-${index}`, { ...address, isDefault: true, orgName: "Northwind" })
    await academy.create(path, `shipping-${index}`, { ...address, isDefault: true, type: "shipping" })

    const items = [turn(goods, index), turn(goods, index + 1)]
    const currency = turn(["USD", "EUR"], index / 2)
    await make("/api/order/create", "order", {
      items,
      currency,
      status: turn(ORDER_STATUSES, index / 2),
      created_at: ago(200 - index * 4),
    })
    const cardId = await make("/api/card/create", "card", {
      last4: String(1000 + index * 37),
      payment_gateway_name: "stripe",
      card_type: turn(CARD_TYPES, index / 2),
    })
    // The first pays by card until next year; of the others every third has run out.
    const ended = index % 3 === 2
    await make("/api/subscription/create", "subscription", {
      subscription_name: "All courses, yearly",
      total: 199,
      currency,
      status: "Active",
      start_date: ago(ended ? 400 : 90),
      end_date: ago(ended ? 35 : -275),
      created_at: ago(ended ? 400 : 90),
      ...(ended ? {} : { cardId }),
    })
    const reviewed = courses[index % 3]
    if (reviewed)
      await make("/api/review/create", "review", {
        courseId: reviewed[0],
        rating: 5 - (index % 3),
        text: turn(REVIEWS, index / 2),
      })
  })
}
