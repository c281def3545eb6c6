import { messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { addressColumns } from "./address-fields.ts"
import { addAddress, getAddress, getDefaultAddress, listAddresses, updateAddress } from "./addresses.queries.ts"
import * as schemas from "./addresses.schemas.ts"

export const addresses = createApp()

addresses.openapi(
  operation({
    operationId: "addUserAddress",
    method: "post",
    path: "/api/user/{id}/addAddress",
    summary: "Add an address to a user",
    description:
      "With isDefault true the user's other addresses of the type are default no longer. " +
      "With false it is stored as given, the first address too.",
    tag: "Addresses",
    access: "general",
    pathIdFields: ["userId", "user_id"],
    body: schemas.newAddress,
    answer: messageResponse,
    status: 201,
  }),
  async (c) => c.json(await addAddress(c.var.work, c.req.valid("param").id, c.req.valid("json")), 201),
)

addresses.openapi(
  operation({
    operationId: "listBillingAddresses",
    method: "get",
    path: "/api/user/userAddress/{id}",
    summary: "List a user's billing addresses, the default first",
    description:
      "Returns every address of the user in one answer. Users see their own addresses, admins those of everybody.",
    tag: "Addresses",
    access: "general",
    answer: schemas.addressList,
  }),
  async (c) => {
    const { db, caller } = c.var
    return c.json(
      (await listAddresses(db, caller, c.req.valid("param").id, "billing")).map((row) => addressColumns.toRow(row)),
      200,
    )
  },
)

addresses.openapi(
  operation({
    operationId: "listShippingAddresses",
    method: "get",
    path: "/api/user/userShippingAddress/{id}",
    summary: "List a user's shipping addresses, the default first",
    description:
      "Returns every address of the user in one answer. Users see their own addresses, admins those of everybody.",
    tag: "Addresses",
    access: "general",
    answer: schemas.addressList,
  }),
  async (c) => {
    const { db, caller } = c.var
    return c.json(
      (await listAddresses(db, caller, c.req.valid("param").id, "shipping")).map((row) => addressColumns.toRow(row)),
      200,
    )
  },
)

addresses.openapi(
  operation({
    operationId: "getDefaultAddress",
    method: "get",
    path: "/api/default-address/{id}",
    summary: "Read a user's default address of a type",
    description: "The id is the user's. 404 where none is the default.",
    tag: "Addresses",
    access: "general",
    record: true,
    query: schemas.defaultAddressQuery,
    answer: schemas.address,
  }),
  async (c) => {
    const { db, caller } = c.var
    const found = await getDefaultAddress(db, caller, c.req.valid("param").id, c.req.valid("query").type)
    return c.json(withEtag(c, found, addressColumns.toRow), 200)
  },
)

addresses.openapi(
  operation({
    operationId: "getAddress",
    method: "get",
    path: "/api/getaddress/{id}",
    summary: "Read an address",
    tag: "Addresses",
    access: "general",
    record: true,
    answer: schemas.address,
  }),
  async (c) =>
    c.json(withEtag(c, await getAddress(c.var.db, c.var.caller, c.req.valid("param").id), addressColumns.toRow), 200),
)

addresses.openapi(
  operation({
    operationId: "updateAddress",
    method: "post",
    path: "/api/user/updateAddress/{id}",
    summary: "Change an address",
    description: "The id is the address's. Fields that are left out stay as they are. Honors If-Match.",
    tag: "Addresses",
    access: "general",
    body: schemas.addressChanges,
    answer: messageResponse,
    errors: [409, 412],
  }),
  async (c) =>
    c.json(await updateAddress(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)), 200),
)
