import type { Act, Acts, World } from "./world.ts"

// Acts on users, groups, portals and orders.

const ROLES = ["general", "staff", "group_admin", "portal_admin"]
const ORDER_STATUSES = ["pending", "completed", "refunded", "failed"] as const
const ITEM = { type: "course", id: 1, name: "A course", quantity: 1, price: 20 }
const LEARNERS = "userType = 'general'"

/** Changes a random object, unless there is none. */
const change =
  (
    path: "/api/user/{id}" | "/api/group/{id}" | "/api/portal/{id}",
    choose: (world: World) => number | undefined,
    body: (world: World, id: number) => object,
  ): Act =>
  (world) => {
    const id = choose(world)
    if (id === undefined) return
    return world.client.PUT(path, { params: { path: { id } }, body: body(world, id) })
  }
const changeUser = (body: (world: World) => object, condition?: string) =>
  change("/api/user/{id}", (world) => world.userId(condition), body)
const changeGroup = (body: (world: World, id: number) => object) =>
  change("/api/group/{id}", (world) => world.id("groups"), body)
const changePortal = (body: (world: World, id: number) => object) =>
  change("/api/portal/{id}", (world) => world.id("portals"), body)

/** The condition that a user is in a group or portal. */
const isIn = (table: string, column: string, id: number) =>
  `id in (select userId from ${table} where ${column} = ${id})`

export const peopleActs: Acts = {
  "create a user": [
    10,
    (world) => {
      const firstName = world.name("Person")
      const email = `${firstName.replace(" ", "-").toLowerCase()}@mirror.example`
      return world.client.POST("/api/user/create", {
        body: { firstName, lastName: "Mirror", email, sendInvitation: true },
      })
    },
  ],
  "rename a user": [4, changeUser((world) => ({ firstName: world.name("Renamed") }))],
  "change an email address": [
    3,
    changeUser((world) => ({ email: `${world.name("moved").replace(" ", "-")}@mirror.example` })),
  ],
  "change a role": [3, changeUser((world) => ({ userType: world.random.pick(ROLES) }))],
  "disable a user": [2, changeUser(() => ({ disabled: true }), "not disabled")],
  "enable a user": [2, changeUser(() => ({ disabled: false }), "disabled")],
  "disable several users": [
    1,
    (world) => {
      const user_ids = world.userIdList(5)
      if (user_ids.length === 0) return
      return world.client.POST("/api/user/quickEdit", { body: { user_ids, disabled: world.random.below(2) === 0 } })
    },
  ],
  "give a membership": [
    2,
    (world) => {
      const id = world.userId(LEARNERS)
      if (id === undefined) return
      const body = { membership: world.random.below(3) === 0 ? null : { id: 1 + world.random.below(2) } }
      return world.client.PUT("/api/user/{id}/update-membership", { params: { path: { id } }, body })
    },
  ],
  "delete a user": [
    4,
    (world) => {
      const delete_ids = world.userIdList(2)
      return delete_ids.length > 0 ? world.client.POST("/api/user/delete", { body: { delete_ids } }) : undefined
    },
  ],
  "erase a user": [
    1,
    (world) => {
      const userId = world.userId("disabled")
      const [row] = world.store.all("select email from users where id = ?", userId ?? 0)
      if (!row || userId === undefined) return
      return world.client.POST("/api/user/erase", { body: { userId, email: String(row.email), reason: "requested" } })
    },
  ],
  "create a group": [
    2,
    (world) =>
      world.client.POST("/api/group/create", {
        body: { name: world.name("Group"), user_ids: world.userIdList(5, LEARNERS) },
      }),
  ],
  "rename a group": [1, changeGroup((world) => ({ name: world.name("Renamed group") }))],
  "add members to a group": [4, changeGroup((world) => ({ add_user_ids: world.userIdList(3, LEARNERS) }))],
  "remove a member of a group": [
    3,
    changeGroup((world, id) => ({ remove_user_ids: world.userIdList(2, isIn("group_members", "groupId", id)) })),
  ],
  "replace the administrators of a group": [
    2,
    changeGroup((world) => ({ admin_ids: world.userIdList(2, "userType = 'group_admin'") })),
  ],
  "delete a group": [
    1,
    (world) => {
      const id = world.id("groups")
      return id === undefined ? undefined : world.client.POST("/api/group/delete", { body: { delete_ids: [id] } })
    },
  ],
  "create a portal": [
    2,
    (world) =>
      world.client.POST("/api/portal/create", {
        body: { name: world.name("Portal"), member_ids: world.userIdList(5, LEARNERS) },
      }),
  ],
  "rename a portal": [1, changePortal((world) => ({ name: world.name("Renamed portal") }))],
  "add members to a portal": [3, changePortal((world) => ({ add_member_ids: world.userIdList(3, LEARNERS) }))],
  "remove a member of a portal": [
    2,
    changePortal((world, id) => ({ remove_member_ids: world.userIdList(2, isIn("portal_members", "portalId", id)) })),
  ],
  "replace the administrators of a portal": [
    2,
    changePortal((world) => ({ admin_ids: world.userIdList(2, "userType = 'portal_admin'") })),
  ],
  "delete a portal": [
    1,
    (world) => {
      const id = world.id("portals")
      return id === undefined ? undefined : world.client.POST("/api/portal/delete", { body: { delete_ids: [id] } })
    },
  ],
  "create an order": [
    3,
    (world) => {
      const userId = world.userId()
      if (userId === undefined) return
      return world.client.POST("/api/order/create", { body: { userId, items: [ITEM], currency: "EUR", total: 20 } })
    },
  ],
  "pay or refund an order": [
    3,
    (world) => {
      const id = world.id("orders")
      const status = world.random.pick(ORDER_STATUSES) ?? "completed"
      if (id === undefined) return
      return world.client.PUT("/api/order/{id}", { params: { path: { id } }, body: { status } })
    },
  ],
  "delete an order": [
    1,
    (world) => {
      const id = world.id("orders")
      return id === undefined ? undefined : world.client.POST("/api/order/delete", { body: { delete_ids: [id] } })
    },
  ],
}
