import { createdResponse, messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { invalid } from "../../lib/errors.ts"
import { displayDate, relativeTime } from "../../lib/text/dates.ts"
import { fullName } from "../../lib/text/words.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { expectedVersion, setEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { toCustomUserMetas } from "./custom-field-values.ts"
import { deleteUsers } from "./many-users.queries.ts"
import { createUser, saveViewType, updateUser } from "./user-changes.queries.ts"
import { userColumns } from "./user-columns.ts"
import { toUserDetail } from "./user-fields.ts"
import { updatePassword } from "./user-passwords.queries.ts"
import { USER_TYPES } from "./user-types.ts"
import { getUser, getViewType, listUsers, lookUpUsers } from "./users.queries.ts"
import * as schemas from "./users.schemas.ts"

export const users = createApp()

users.openapi(
  operation({
    operationId: "lookUpUserTypes",
    method: "get",
    path: "/api/userType/lookup",
    summary: "List the user types",
    tag: "Users",
    access: "general",
    answer: schemas.userTypes,
  }),
  (c) => c.json([...USER_TYPES], 200),
)

users.openapi(
  operation({
    operationId: "listUsers",
    method: "get",
    path: "/api/users/tabularlist",
    summary: "List users",
    description:
      "Staff and above see everyone; a group or portal administrator the members of their groups and portals.",
    tag: "Users",
    access: "group_admin",
    query: schemas.userListQuery,
    answer: schemas.userList,
  }),
  async (c) =>
    c.json(listPage(c, await listUsers(c.var.db, c.var.caller, c.req.valid("query")), userColumns.toRow), 200),
)

users.openapi(
  operation({
    operationId: "listUsersByType",
    method: "get",
    path: "/api/users/getUsersByType",
    summary: "List users of a type, by first name",
    description: "All of them unless page_size is given.",
    tag: "Users",
    access: "general",
    query: schemas.usersByTypeQuery,
    answer: schemas.usersByType,
  }),
  async (c) => {
    const { userType, ...query } = c.req.valid("query")
    const found = await lookUpUsers(c.var.db, c.var.caller, { ...query, search: { userType } })
    const { records } = listPage(c, found, (user) => ({
      id: user.id,
      name: `${fullName(user)} (${user.email})`,
    }))
    return c.json({ records }, 200)
  },
)

users.openapi(
  operation({
    operationId: "lookUpUsers",
    method: "get",
    path: "/api/users/lookup",
    summary: "Look users up by name or email address",
    description: "All of them unless page_size is given.",
    tag: "Users",
    access: "general",
    query: schemas.userLookupQuery,
    answer: schemas.userLookup,
  }),
  async (c) => {
    const { search_term, userType, ...query } = c.req.valid("query")
    const search = { nameOrEmail: search_term, userType }
    const { records } = listPage(c, await lookUpUsers(c.var.db, c.var.caller, { ...query, search }), (user) => ({
      id: user.id,
      full_name: fullName(user),
      email: user.email,
      user_type: user.userType === "general" ? "learner" : user.userType,
    }))
    return c.json({ records }, 200)
  },
)

users.openapi(
  operation({
    operationId: "saveViewType",
    method: "get",
    path: "/api/users/saveViewType",
    summary: "Keep how a user likes lists shown",
    description: "`type` is a text of the client's own, up to 50 characters, such as `grid` or `list`.",
    tag: "Users",
    access: "general",
    mutates: true,
    query: schemas.saveViewTypeQuery,
    answer: messageResponse,
    errors: [404],
  }),
  async (c) => c.json(await saveViewType(c.var.work, c.req.valid("query")), 200),
)

users.openapi(
  operation({
    operationId: "getViewType",
    method: "get",
    path: "/api/users/viewType",
    summary: "Read how a user likes lists shown",
    description: "Returns the text that `saveViewType` stored; empty where it stored none.",
    tag: "Users",
    access: "general",
    extension: true,
    query: schemas.viewTypeQuery,
    answer: schemas.viewType,
    errors: [404],
  }),
  async (c) => {
    const { userId = c.var.caller.id } = c.req.valid("query")
    if (userId === null) throw invalid("userId", "userId is required without a session.")
    const { type } = await getViewType(c.var.db, c.var.caller, userId)
    return c.json({ userId, type }, 200)
  },
)

users.openapi(
  operation({
    operationId: "createUser",
    method: "post",
    path: "/api/user/create",
    summary: "Create a user",
    description:
      "Mails the user where to sign in, or, with sendInvitation, a link to choose a password. An API key makes " +
      "learners, and gives passwords only with the scope credentials: without it, every new user is sent the link.",
    tag: "Users",
    access: "staff",
    body: schemas.newUser,
    answer: createdResponse,
  }),
  async (c) => c.json(await createUser(c.var.work, baseUrl(c), c.req.valid("json")), 200),
)

users.openapi(
  operation({
    operationId: "getUser",
    method: "get",
    path: "/api/user/{id}",
    summary: "Read a user",
    tag: "Users",
    access: "general",
    record: true,
    answer: schemas.userDetail,
  }),
  async (c) => {
    const { db, caller } = c.var
    const user = await getUser(db, caller, c.req.valid("param").id)
    const answer = {
      id: user.id,
      ...toUserDetail(user, caller),
      lastLoggedIn: relativeTime(user.lastLoginAt),
      currentLoggedUserType: caller.userType,
      membership:
        user.heldMembershipId === null
          ? null
          : {
              id: user.heldMembershipId,
              name: user.membershipName ?? "",
              expiryDate: user.membershipExpiresAt === null ? null : displayDate(user.membershipExpiresAt),
            },
      customUserMetas: toCustomUserMetas(user.metas),
      pendingEmail: user.pendingEmail,
    }
    setEtag(c, user.version, answer)
    return c.json(answer, 200)
  },
)

users.openapi(
  operation({
    operationId: "updateUser",
    method: "put",
    path: "/api/user/{id}",
    summary: "Change a user",
    description:
      "Fields that are left out stay as they are. Honors If-Match. Callers' own email address changes once they " +
      "open the link that is mailed to the new one, and the message says so; others' change at once. The address " +
      "before is mailed a notice.",
    tag: "Users",
    access: "general",
    pathIdFields: ["id", "userId", "user_id"],
    body: schemas.userChanges,
    answer: messageResponse,
    errors: [409, 412],
  }),
  async (c) =>
    c.json(
      await updateUser(c.var.work, baseUrl(c), c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)),
      200,
    ),
)

users.openapi(
  operation({
    operationId: "updateUserPassword",
    method: "put",
    path: "/api/user/updatePassword/{id}",
    summary: "Set a user's password",
    description: "Ends the user's sessions, and mails them a notice.",
    tag: "Users",
    access: "general",
    pathIdFields: ["id", "userId", "user_id"],
    body: schemas.newPassword,
    answer: messageResponse,
  }),
  async (c) => c.json(await updatePassword(c.var.work, baseUrl(c), c.req.valid("param").id, c.req.valid("json")), 200),
)

users.openapi(
  operation({
    operationId: "deleteUsers",
    method: "post",
    path: "/api/user/delete",
    summary: "Delete users",
    description:
      "Users with enrollments or access to a portal, and authors, are kept. Unknown ids are counted, never an error.",
    tag: "Users",
    access: "admin",
    body: schemas.userDeletion,
    answer: schemas.userDeletionAnswer,
  }),
  async (c) => c.json(await deleteUsers(c.var.work, c.req.valid("json")), 200),
)
