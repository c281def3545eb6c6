import { call, connect, json, PASSWORD } from "../../../scripts/lib/client.ts"
import { expect, test } from "../fixtures.ts"

test("An administrator makes a group with members, an administrator and seats", async ({ page, signIn }) => {
  const app = await signIn("admin@example.com")
  const name = `Night shift ${app.unique}`
  const dialog = page.getByRole("dialog")

  await app.navigate("Users", "Groups")
  await app.expectAccessible("groups")
  await page.getByRole("button", { name: "New group" }).first().click()
  await dialog.getByLabel("Name").fill(name)
  await dialog.getByRole("button", { name: "Create" }).click()
  await page.getByRole("link", { name }).click()
  // The empty list has the same button.
  await page.getByRole("button", { name: "Add people" }).first().click()
  await dialog.getByRole("searchbox").fill("garc")
  await dialog.getByLabel(/Lucía García/).check()
  await dialog.getByRole("button", { name: "Add people" }).click()
  await app.expectText("1 total")
  await app.expectAccessible("members")

  await page.locator("main .tabs").getByRole("link", { name: "Seats" }).click()
  await page.getByRole("combobox").fill("Leading")
  await page.getByRole("option").first().click()
  await page.getByLabel("Number of seats").fill("7")
  await page.getByRole("button", { name: "Save seats" }).click()
  await app.expectText("0 of 7")
  await app.expectAccessible("seats")
  app.allowStatus(412)
  await page.request.put(`${app.url}/api${app.path.replace(/groups(\/\d+).*/, "group$1")}`, {
    data: { externalId: app.unique },
    headers: { origin: app.url },
  })
  await page.getByRole("button", { name: "Remove seats" }).click()
  await expect(page.getByRole("alert"), "a failure is shown").toBeVisible()

  await page.locator("main .tabs").getByRole("link", { name: "Administrators" }).click()
  await page.getByRole("searchbox").fill("yuki")
  await page.getByLabel(/Yuki Sato/).check()
  await page.getByRole("button", { name: "Save" }).click()
  await app.expectAnnouncement("Group updated.")

  const admin = await connect(app.url, "admin@example.com", PASSWORD)
  const query = `page_size=1&page_number=1&search_param[name]=${encodeURIComponent(name)}`
  const list = await json<{ records: { id: number; user_count: number }[] }>(
    await call(admin, "GET", `/api/group/tabularlist?${query}`),
  )
  expect(list.records[0]?.user_count).toBe(1)
  const group = await json<{ admin_ids: number[]; course_seats: { total_seats: number }[] }>(
    await call(admin, "GET", `/api/group/${list.records[0]?.id}`),
  )
  expect(group.admin_ids).toHaveLength(1)
  expect(group.course_seats).toMatchObject([{ total_seats: 7 }])
})

test("An administrator makes a portal with its own branding and sign-up rules", async ({ page, signIn }) => {
  const app = await signIn("admin@example.com")
  const name = `Northwind Partners ${app.unique}`
  const dialog = page.getByRole("dialog")
  const tab = (title: string) => page.locator("main .tabs").getByRole("link", { name: title, exact: true }).click()

  await app.navigate("Users", "Portals")
  await page.getByRole("button", { name: "New portal" }).first().click()
  await dialog.getByLabel("Name").fill(name)
  await dialog.getByRole("button", { name: "Create" }).click()
  await page.getByRole("link", { name }).click()
  await app.expectAccessible("learners")

  await tab("Branding")
  app.allowStatus(422)
  await page.getByLabel("Reply-to address").fill("help@northwind-partners")
  await page.getByLabel("Primary color").fill("#0a7c4a")
  await page.getByRole("button", { name: "Save" }).click()
  await app.expectText(/Reply-to address must/)
  await page.getByLabel("Reply-to address").fill("help@northwind-partners.example")
  await page.getByRole("button", { name: "Save" }).click()
  await app.expectAnnouncement("Portal updated.")
  await app.expectAccessible("branding")

  await tab("Allowed emails")
  await page.getByLabel("Allowed", { exact: true }).fill("northwind-partners.example\nvisitor@example.org")
  await page.getByRole("button", { name: "Save" }).click()
  await app.waitUntilLoaded()
  await page.reload()
  await expect(page.getByLabel("Allowed", { exact: true })).toHaveValue(
    "northwind-partners.example\nvisitor@example.org",
  )

  app.allowStatus(412)
  const portalId = Number(/portals\/(\d+)/.exec(app.path)?.[1])
  await page.getByLabel("Allowed", { exact: true }).fill("northwind-partners.example")
  await page.request.put(`${app.url}/api/user/blockedEmailsAndDomains`, {
    data: { portalId, blocked: ["spam.example"] },
    headers: { origin: app.url },
  })
  await page.getByRole("button", { name: "Save" }).click()
  await expect(page.getByLabel("Blocked", { exact: true })).toHaveValue("spam.example")
  await expect(page.getByLabel("Allowed", { exact: true })).toHaveValue("northwind-partners.example")
  await page.getByRole("button", { name: "Save" }).click()
  await app.expectAnnouncement("Blocked and allowed emails updated.")

  await tab("Settings")
  await page.getByLabel("Seats").fill("40")
  await page.getByLabel("Status").selectOption("Inactive")
  await page.getByRole("button", { name: "Save" }).click()
  await app.waitUntilLoaded()
  await app.navigate("Users", "Portals")
  await page.getByLabel("Search by name").fill(name)
  await app.expectText("0 of 40")
})

test("An administrator adds a location, a category, a membership and a custom field", async ({ page, signIn }) => {
  const app = await signIn("admin@example.com")
  const dialog = page.getByRole("dialog")

  await app.navigate("Classes", "Locations")
  await page.getByRole("button", { name: "New location" }).first().click()
  await dialog.getByLabel("Name").fill(`Room ${app.unique}`)
  await dialog.getByLabel("City", { exact: true }).fill("Turku")
  await dialog.getByLabel("Capacity").fill("24")
  await dialog.getByRole("button", { name: "Create" }).click()
  await app.expectText(`Room ${app.unique}`)
  await app.expectAccessible("locations")

  await app.navigate("Courses", "Categories")
  await page.getByLabel("Type").selectOption("Users")
  await expect(page.locator("main .tabs")).toHaveCount(1)
  await page.getByRole("button", { name: "New category" }).first().click()
  await dialog.getByLabel("Name").fill(`Nurses ${app.unique}`)
  await dialog.getByRole("button", { name: "Create" }).click()
  await page.getByRole("button", { name: `Edit Nurses ${app.unique}` }).click()
  await dialog.getByLabel("Name").fill(`Midwives ${app.unique}`)
  await dialog.getByRole("button", { name: "Save" }).click()
  await app.expectText(`Midwives ${app.unique}`)
  await page.getByLabel(`Select Midwives ${app.unique}`).check()
  await page.getByRole("button", { name: "Delete" }).click()
  await dialog.getByRole("button", { name: "Delete" }).click()
  await expect(page.getByText(`Midwives ${app.unique}`)).toHaveCount(0)

  await app.goto("/memberships")
  await page.getByRole("button", { name: "New membership" }).first().click()
  await dialog.getByLabel("Name").fill(`Gold ${app.unique}`)
  await dialog.getByLabel("Days of access").fill("365")
  await dialog.getByRole("searchbox").fill("Leading")
  await dialog
    .getByLabel(/Leading/)
    .last()
    .check()
  await dialog.getByRole("button", { name: "Create" }).click()
  await app.expectText(`Gold ${app.unique}`)
  const read = async <T>(path: string): Promise<T> => (await page.request.get(`${app.url}${path}`)).json()
  const write = (path: string, data: object) =>
    page.request.put(`${app.url}${path}`, { data, headers: { origin: app.url } })

  // Saved before its courses have loaded.
  const { promise: isSaved, resolve: saved } = Promise.withResolvers<void>()
  await page.route(/\/api\/course\/\d+$/, async (route) => {
    await isSaved
    await route.abort()
  })
  await page.getByRole("button", { name: `Edit Gold ${app.unique}` }).click()
  await dialog.getByLabel("Days of access").fill("30")
  await dialog.getByRole("button", { name: "Save" }).click()
  await expect(dialog).toHaveCount(0)
  await page.unrouteAll({ behavior: "ignoreErrors" })
  saved()
  const list = `/api/membership/tabularlist?page_size=1&page_number=1&search_param[name]=Gold%20${app.unique}`
  const [gold] = (await read<{ records: { id: number }[] }>(list)).records
  const { course_ids, expiresAfterDays } = await read<{ course_ids: number[]; expiresAfterDays: number }>(
    `/api/membership/${gold?.id}`,
  )
  expect({ courses: course_ids.length, expiresAfterDays }).toEqual({ courses: 1, expiresAfterDays: 30 })

  await app.goto("/custom-fields")
  await page.getByRole("button", { name: "New custom field" }).first().click()
  await dialog.getByLabel("Label", { exact: true }).fill(`Ward ${app.unique}`)
  await dialog.getByLabel("Type").selectOption("Drop Down")
  await dialog.getByLabel("Options").fill("North\nSouth")
  await dialog.getByRole("button", { name: "Create" }).click()
  await app.expectText(`Ward ${app.unique}`)
  await app.expectAccessible("custom fields")

  // Someone else adds a field, and renames the one that is edited. A person keeps the value of a removed option.
  const fieldsPath = "/api/users/customUserFields"
  const { fields } = await read<{ fields: { label: string; userMetaKey: string }[] }>(fieldsPath)
  await write(fieldsPath, { fields: [...fields, { type: "text", label: `Bed ${app.unique}` }] })
  const renameWard = async () => {
    const current = await read<{ fields: { label: string }[] }>(fieldsPath)
    const renamed = current.fields.map((field) => ({ ...field, label: field.label.replace("Ward", "Care ward") }))
    await write(fieldsPath, { fields: renamed })
  }
  const { records } = await read<{ records: { id: number }[] }>(
    "/api/users/tabularlist?page_size=1&page_number=1&search_param[nameOrEmail]=yuki.sato",
  )
  const ward = fields.find(({ label }) => label === `Ward ${app.unique}`)?.userMetaKey ?? ""
  const user = `/api/user/${records[0]?.id}`
  await write(user, { customUserMetas: { [ward]: "North" } })
  await page.getByRole("button", { name: `Edit Ward ${app.unique}` }).click()
  await dialog.getByLabel("Options").fill("South\nEast")
  await renameWard()
  await dialog.getByRole("button", { name: "Save" }).click()
  await expect(page.getByRole("button", { name: `Delete Bed ${app.unique}` })).toBeVisible()
  await app.goto(`/users/${records[0]?.id}/edit`)
  await expect(page.getByLabel(`Care ward ${app.unique}`)).toHaveValue("North")
  await page.getByRole("button", { name: "Save" }).click()
  await app.expectAnnouncement("User updated.")
  const { customUserMetas } = await read<{ customUserMetas: Record<string, { submitted_value: string }> }>(user)
  expect(customUserMetas[ward]?.submitted_value).toBe("North")
  await write(user, { customUserMetas: { [ward]: "" } })

  await app.goto("/custom-fields")
  await page.getByRole("button", { name: `Delete Bed ${app.unique}` }).click()
  await dialog.getByRole("button", { name: "Delete" }).click()
  await expect(page.getByText(`Bed ${app.unique}`)).toHaveCount(0)
  await page.getByRole("button", { name: `Delete Care ward ${app.unique}` }).click()
  await app.expectText("No user has a value in this field.")
  await dialog.getByRole("button", { name: "Delete" }).click()
  await expect(page.getByText(`Care ward ${app.unique}`)).toHaveCount(0)
})
