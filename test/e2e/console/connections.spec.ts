import { call, connect, json, PASSWORD } from "../../../scripts/lib/client.ts"
import { expect, test } from "../fixtures.ts"

test("A learner subscribes to their classes, and resets the link", async ({ page, signIn }) => {
  const app = await signIn("learner@example.com")
  const dialog = page.getByRole("dialog")
  const link = page.getByRole("textbox", { name: "Calendar link" })
  const download = async (webcal: string) => (await page.request.get(webcal.replace(/^webcal:/, "http:"))).status()

  await app.goto("/account")
  await page.getByRole("button", { name: "Create link" }).click()
  await expect(link).toHaveValue(/^webcal:\/\//)
  const first = await link.inputValue()
  expect(await download(first)).toBe(200)
  await app.expectAccessible("calendar link")

  await page.getByRole("button", { name: "Reset link" }).click()
  await dialog.getByRole("button", { name: "Reset link" }).click()
  await expect(link).not.toHaveValue(first)
  expect(await download(first)).toBe(404)
  expect(await download(await link.inputValue())).toBe(200)

  await page.getByRole("button", { name: "Turn off" }).click()
  await dialog.getByRole("button", { name: "Turn off" }).click()
  await expect(page.getByRole("button", { name: "Create link" })).toBeVisible()
})

test("An administrator connects a sign-in provider, and maps its claims", async ({ page, signIn }) => {
  const app = await signIn("admin@example.com")
  const dialog = page.getByRole("dialog")
  const name = `Northwind ${app.unique}`
  const mapping = (label: string) => page.getByRole("group", { name: label })

  await app.goto("/settings")
  await page.locator("main .tabs").getByRole("link", { name: "Single sign-on" }).click()
  await page.getByRole("button", { name: "New provider" }).first().click()
  await dialog.getByLabel("Name").fill(name)
  await dialog.getByLabel("Issuer URL").fill("https://login.northwind.example")
  await dialog.getByLabel("Client ID").fill("lectern")
  await dialog.getByLabel("Client secret").fill("a-secret-of-the-client")
  await dialog.getByRole("button", { name: "Create" }).click()
  await expect(app.heading).toHaveText(name)
  await expect(page.getByLabel("Sign-in redirect URI")).toHaveValue(/\/sso\/northwind-.*\/callback$/)
  await expect(page.getByLabel("Back-channel logout URL")).toHaveValue(/\/sso\/northwind-.*\/backchannel-logout$/)

  await page.getByLabel("Email domains").fill("northwind.example\nnorthwind.test")
  await page.getByLabel("Update attributes at every sign-in").check()
  await mapping("Attribute mapping").getByRole("button", { name: "Add mapping" }).click()
  await mapping("Attribute mapping").getByLabel("Claim").fill("xms_edov")
  await mapping("Attribute mapping").getByLabel("Field").selectOption("Email verified")
  await page.getByLabel("Role claim").fill("roles")
  await mapping("Role mapping").getByRole("button", { name: "Add mapping" }).click()
  await mapping("Role mapping").getByLabel("Claim value").fill("lms-admins")
  await mapping("Role mapping").getByLabel("Role").selectOption("Administrator")
  await page.getByLabel("Group claim").fill("groups")
  await mapping("Group mapping").getByRole("button", { name: "Add mapping" }).click()
  await mapping("Group mapping").getByLabel("Claim value").fill("engineering")
  await page.getByRole("combobox", { name: "Group" }).click()
  await mapping("Group mapping").getByRole("option").first().click()
  const group = await page.getByRole("combobox", { name: "Group" }).inputValue()
  await page.getByRole("button", { name: "Save" }).click()
  await app.expectAnnouncement(/updated/)
  await page.reload()
  await app.waitUntilLoaded()
  await expect(page.getByRole("combobox", { name: "Group" })).toHaveValue(group)
  await app.expectAccessible("sign-in provider")

  const id = Number(/\d+$/.exec(app.path)?.[0])
  const admin = await connect(app.url, "admin@example.com", PASSWORD)
  const stored = await json<Record<string, unknown>>(await call(admin, "GET", `/api/sso-provider/${id}`))
  expect(stored).toMatchObject({
    domains: ["northwind.example", "northwind.test"],
    claims: { xms_edov: "emailVerified" },
    roleClaim: "roles",
    roles: { "lms-admins": "admin" },
    groupClaim: "groups",
    groups: { engineering: expect.any(Number) },
    hasClientSecret: true,
    update: true,
    create: false,
  })

  await mapping("Role mapping").getByRole("button", { name: "Remove" }).click()
  await page.getByRole("button", { name: "Save" }).click()
  await expect(async () => {
    const changed = await json<{ roles: object }>(await call(admin, "GET", `/api/sso-provider/${id}`))
    expect(changed.roles).toEqual({})
  }).toPass()

  await app.goto("/sign-in-providers")
  await app.expectAccessible("sign-in providers")
  await page.getByLabel(`Select ${name}`).check()
  await page.getByRole("button", { name: "Delete" }).click()
  await dialog.getByRole("button", { name: "Delete" }).click()
  await expect(page.getByText(name)).toHaveCount(0)
})

test("Staff give a user, a course, a group and a class an external ID", async ({ page, signIn }) => {
  const app = await signIn("staff@example.com")
  const admin = await connect(app.url, "admin@example.com", PASSWORD)
  const dialog = page.getByRole("dialog")
  const expectId = async (path: string, id: string | null) =>
    expect(await json(await call(admin, "GET", path))).toMatchObject({ externalId: id })
  const byExternalId = (kind: string, id: string) => `/api/${kind}/by-external-id?externalId=${id}`

  const group = `G-${app.unique}`
  await app.goto("/groups")
  await page.getByRole("button", { name: "New group" }).first().click()
  await dialog.getByLabel("Name").fill(`Evening shift ${app.unique}`)
  await dialog.getByLabel("External ID").fill(group)
  await dialog.getByRole("button", { name: "Create" }).click()
  await expect(dialog).toHaveCount(0)
  await expectId(byExternalId("group", group), group)

  const course = `C-${app.unique}`
  await app.goto("/courses/new")
  await page.getByLabel("Name").fill(`Hygiene ${app.unique}`)
  await page.getByRole("button", { name: "Create" }).click()
  await page.waitForURL(/\/courses\/\d+/)
  const courseId = Number(/\/courses\/(\d+)/.exec(app.path)?.[1])
  await app.goto(`/courses/${courseId}?tab=settings`)
  await page.getByLabel("External ID").fill(course)
  await page.getByRole("button", { name: "Save" }).click()
  await app.expectAnnouncement(/updated/i)
  await expectId(byExternalId("course", course), course)
  await app.goto(`/courses/${courseId}?tab=settings`)
  await page.getByLabel("External ID").fill("")
  await page.getByRole("button", { name: "Save" }).click()
  await app.expectAnnouncement(/updated/i)
  await expectId(`/api/course/${courseId}`, null)

  const user = `U-${app.unique}`
  const { records } = await json<{ records: { id: number }[] }>(
    await call(
      admin,
      "GET",
      "/api/users/tabularlist?page_size=1&page_number=1&search_param[nameOrEmail]=learner@example.com",
    ),
  )
  await app.goto(`/users/${records[0]?.id}/edit`)
  await page.getByLabel("External ID").fill(user)
  await page.getByRole("button", { name: "Save" }).click()
  await page.waitForURL(/\/users\/\d+$/)
  await expectId(byExternalId("user", user), user)

  const classes = await json<{ records: { id: number }[] }>(
    await call(admin, "GET", "/api/class/tabularlist?page_size=1&page_number=1"),
  )
  const aClass = `K-${app.unique}`
  await app.goto(`/classes/${classes.records[0]?.id}/edit`)
  await page.getByLabel("External ID").fill(aClass)
  await page.getByRole("button", { name: "Save" }).click()
  await page.waitForURL(/\/classes\/\d+$/)
  expect(await json(await call(admin, "GET", byExternalId("class", aClass)))).toMatchObject({
    classDetails: { id: classes.records[0]?.id, externalId: aClass },
  })
})

test("An administrator sets up SCIM with an API key of its own", async ({ page, signIn }) => {
  const app = await signIn("admin@example.com")
  const dialog = page.getByRole("dialog")

  await app.goto("/keys")
  await page.locator("main .tabs").getByRole("link", { name: "SCIM" }).click()
  await app.expectAccessible("SCIM")
  const baseUrl = await page.getByLabel("Base URL").inputValue()
  await page.getByRole("link", { name: "Create API key" }).click()
  await dialog.getByLabel("Name").fill(`Identity provider ${app.unique}`)
  await expect(dialog.getByLabel("SCIM provisioning")).toBeChecked()
  await dialog.getByRole("button", { name: "Create" }).click()
  const key = await dialog.getByLabel("Key", { exact: true }).inputValue()
  expect(app.path).toBe("/keys")

  const headers = { authorization: `Bearer ${key}` }
  const users = await page.request.get(`${baseUrl}/Users?count=1`, { headers })
  expect(users.status()).toBe(200)
  expect(await users.json()).toMatchObject({ itemsPerPage: 1 })
  const courses = await page.request.get(`${app.url}/api/courses/tabularlist?page_size=1&page_number=1`, { headers })
  expect(courses.status()).toBe(403)
})
