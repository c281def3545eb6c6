import { type Academy, DAY } from "./academy.ts"

/**
 * The portal that portal@example.com administers, with learners of its own, and a second one below it that ends soon.
 */
export async function portals(academy: Academy) {
  const learners = academy.learners()
  const northwind = await academy.create("/api/portal/create", "northwind", {
    name: "Northwind Academy",
    slug: "northwind-academy",
    referralCode: "NORTHWIND",
    portalType: "customer",
    totalSeat: 50,
    primaryColor: "#1f4e79",
    secondaryColor: "#f2b134",
    senderName: "Northwind Academy",
    replyTo: "help@northwind.example.com",
    admin_ids: [academy.userId("portal@example.com")],
    member_ids: [academy.userId("learner@example.com"), ...learners.slice(20, 32)],
  })
  const harbour = await academy.create("/api/portal/create", "harbour-works", {
    name: "Harbour Works",
    slug: "harbour-works",
    referralCode: "HARBOUR",
    portalType: "customer",
    parentPortalId: northwind,
    totalSeat: 6,
    expiryMessage: "The license of Harbour Works has ended. Write to help@northwind.example.com to renew it.",
    member_ids: learners.slice(30, 36),
  })
  await academy.put(`/api/portal/${harbour}`, { expiryDate: new Date(academy.at + 60 * DAY).toISOString() })
  await academy.put("/api/user/blockedEmailsAndDomains", { blocked: ["throwaway.example", "nobody@example.com"] })
}
