import { call, connect, json, PASSWORD } from "../../../scripts/lib/client.ts"
import { expect, test } from "../fixtures.ts"

test("An administrator reads orders, reminds the owner of a cart, and removes a review", async ({ page, signIn }) => {
  const app = await signIn("admin@example.com")
  const dialog = page.getByRole("dialog")

  await app.navigate("Billing")
  await app.expectText("20 total")
  await page.getByLabel("Status").selectOption("Failed")
  await app.expectText(/^\d+ of 20 results$/)
  await app.expectAccessible("orders")
  await app.navigate("Billing", "Subscriptions")
  await app.expectAccessible("subscriptions")

  await app.navigate("Billing", "Carts")
  await app.expectAccessible("carts")
  await page
    .getByRole("button", { name: /^Send reminder / })
    .first()
    .click()
  await app.expectAccessible("reminder")
  await dialog.getByRole("button", { name: "Send reminder" }).click()
  await expect(dialog).toHaveCount(0)
  expect(app.calls.filter(({ path }) => path === "/api/sendCartReminderEmail").map(({ status }) => status)).toEqual([
    200,
  ])

  await app.navigate("Courses", "Reviews")
  await expect(page.getByRole("link", { name: "Working with data" }).first()).toBeVisible()
  await app.expectAccessible("reviews")
  // Other stories add reviews.
  const total = Number.parseInt((await page.getByText(/^\d+ total$/).textContent()) ?? "", 10)
  await page
    .getByLabel(/^Select /)
    .nth(1)
    .check()
  await page.getByRole("button", { name: "Delete" }).click()
  await dialog.getByRole("button", { name: "Delete" }).click()
  await expect(dialog).toHaveCount(0)
  await app.expectText(`${total - 1} total`)
  await app.navigate("Audit log", "Consents")
  await app.expectText("40 total")
  await app.expectAccessible("consents")
})

test("An administrator adds a user source, renames it and deletes it", async ({ page, signIn }) => {
  const app = await signIn("admin@example.com")
  const dialog = page.getByRole("dialog")
  const name = `Open day ${app.unique}`

  await app.navigate("Academy", "User sources")
  await page.getByRole("button", { name: "New user source" }).first().click()
  await dialog.getByLabel("Name").fill(name)
  await dialog.getByLabel("Identifier").fill(`open_day_${app.unique}`)
  await app.expectAccessible("new source")
  await dialog.getByRole("button", { name: "Create" }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByRole("button", { name: `Edit ${name}` }).click()
  await dialog.getByLabel("Description").fill("In June")
  await dialog.getByRole("button", { name: "Save" }).click()
  await expect(page.getByRole("row", { name })).toContainText("In June")
  await app.expectAccessible("sources")

  // The form of a user shows a source that is not among the first hundred.
  const admin = await connect(app.url, "admin@example.com", PASSWORD)
  const send = async <T>(method: "GET" | "POST" | "PUT", path: string, body?: object) =>
    json<T>(await call(admin, method, path, body))
  const others = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      send<{ id: number }>("POST", "/api/user-source/create", {
        name: `Fair ${n} ${app.unique}`,
        identifier: `fair_${n}_${app.unique}`,
      }),
    ),
  )
  const { records } = await send<{ records: { id: number; name: string }[] }>("GET", "/api/user-source")
  const user = `/api/user/${admin.userId}`
  const { user_source_id } = await send<{ user_source_id: number }>("GET", user)
  await send("PUT", user, { user_source_id: records.find((source) => source.name === name)?.id })
  await app.goto(`/users/${admin.userId}/edit`)
  await expect(page.getByLabel("Source").locator("option:checked")).toHaveText(name)
  await send("PUT", user, { user_source_id })
  await send("POST", "/api/user-source/delete", { delete_ids: others.map(({ id }) => id) })

  await app.goto("/user-sources")
  await page.getByLabel(`Select ${name}`).check()
  await page.getByRole("button", { name: "Delete" }).click()
  await dialog.getByRole("button", { name: "Delete" }).click()
  await expect(page.getByText(name)).toHaveCount(0)
})

test("An administrator sets the first due date of an enrollment, and exports due training", async ({
  page,
  signIn,
}) => {
  const app = await signIn("admin@example.com")
  const dialog = page.getByRole("dialog")
  const admin = await connect(app.url, "admin@example.com", PASSWORD)
  const { id } = await json<{ id: number }>(
    await call(admin, "POST", "/api/user/create", {
      firstName: "Rune",
      lastName: `Aas ${app.unique}`,
      email: `rune.${app.unique}@example.com`.toLowerCase(),
      password: PASSWORD,
      password_confirmation: PASSWORD,
      userType: "general",
      customUserMetas: { region: "North" },
    }),
  )
  await json(await call(admin, "POST", "/api/course/enroll", { course_ids: [1], user_ids: [id] }))

  await app.goto(`/users/${id}?tab=enrollments`)
  await page.getByLabel("Select Working with data").check()
  await page.getByRole("button", { name: "Set due date" }).click()
  await dialog.getByLabel("Due").fill("2030-01-31")
  await app.expectAccessible("due date")
  await dialog.getByRole("button", { name: "Set due date" }).click()
  await expect(dialog).toHaveCount(0)

  await app.goto(`/due?nameOrEmail=${app.unique}`)
  const row = page.getByRole("row", { name: `Rune Aas ${app.unique}` })
  await expect(row).toContainText("On track")
  const act = async (action: string) => {
    await page.getByLabel(`Select Rune Aas ${app.unique}, Working with data`).check()
    await page.getByRole("button", { name: action, exact: true }).click()
    if (action === "Exempt") await dialog.getByLabel("Reason").fill("On leave")
    await dialog.getByRole("button", { name: action, exact: true }).click()
    await expect(dialog).toHaveCount(0)
  }
  await act("Exempt")
  await expect(row).toContainText("Exempt")
  await act("End exemption")
  await expect(row).toContainText("On track")
  await page.getByRole("button", { name: "Export list" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Exports" })).toBeVisible()
  const card = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Due training" }) })
  await expect(card.getByRole("link", { name: "Download" })).toBeVisible({ timeout: 60_000 })
  await app.expectAccessible("exported")
})
