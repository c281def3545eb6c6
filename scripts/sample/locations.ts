import type { Academy } from "./academy.ts"

/** The locations of classes. */
export async function locations(academy: Academy) {
  const bristol = { city: "Bristol", zipcode: "BS1 4UZ", country: "United Kingdom" }
  await academy.create("/api/location/create", "main-hall", {
    name: "Main hall",
    addressLine1: "1 Quay Street",
    ...bristol,
    capacity: 120,
  })
  await academy.create("/api/location/create", "workshop", {
    name: "Workshop",
    addressLine1: "1 Quay Street",
    addressLine2: "Yard",
    ...bristol,
    capacity: 16,
  })
}
