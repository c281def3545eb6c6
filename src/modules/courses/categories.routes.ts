import { changedResponse, createdResponse, deletionBody, messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { lookupQuery } from "../../lib/input/list-query.ts"
import { displayDateTime, isoTime, isoTimeOrNull } from "../../lib/text/dates.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import {
  createCategory,
  deleteCategories,
  getCategory,
  listCategories,
  lookUpCategories,
  updateCategory,
} from "./categories.queries.ts"
import * as schemas from "./categories.schemas.ts"
import { categoryColumns } from "./category-columns.ts"

export const categories = createApp()

const tag = "Categories"

const toCategory = (row: Awaited<ReturnType<typeof getCategory>>) => ({
  id: row.id,
  name: row.name,
  type: row.type,
  created_by: row.createdBy,
  updated_by: row.updatedBy,
  deleted_by: row.deletedBy,
  created_at: displayDateTime(row.createdAt),
  updated_at: displayDateTime(row.updatedAt),
  deleted_at: row.deletedAt === null ? null : displayDateTime(row.deletedAt),
  createdAt: isoTime(row.createdAt),
  updatedAt: isoTime(row.updatedAt),
  deletedAt: isoTimeOrNull(row.deletedAt),
})

const lookUp = (operationId: string, path: string, type: schemas.CategoryType) =>
  categories.openapi(
    operation({
      operationId,
      method: "get",
      path,
      summary: `Look up ${type} categories`,
      description: "Sorted by name. Returns all categories unless page_size is given.",
      tag,
      access: "general",
      query: lookupQuery,
      response: schemas.categoryLookup,
    }),
    async (c) => {
      const found = await lookUpCategories(c.var.db, type, c.req.valid("query"))
      return c.json(listPage(c, found, ({ id, name }) => ({ id, name })).records, 200)
    },
  )

lookUp("lookUpProductCategories", "/api/categories/product/lookup", "product")
lookUp("lookUpCourseCategories", "/api/categories/course/lookup", "course")
lookUp("lookUpModuleCategories", "/api/categories/module/lookup", "module")
lookUp("lookUpQuestionCategories", "/api/categories/question/lookup", "question")
lookUp("lookUpUserCategories", "/api/categories/user/lookup", "user")

const list = (operationId: string, path: string, type: schemas.CategoryType, extension = false) =>
  categories.openapi(
    operation({
      operationId,
      method: "get",
      path,
      summary: `List ${type} categories`,
      tag,
      access: "staff",
      extension,
      query: schemas.categoryListQuery,
      response: schemas.categoryList,
    }),
    async (c) =>
      c.json(listPage(c, await listCategories(c.var.db, type, c.req.valid("query")), categoryColumns.toRow), 200),
  )

list("listCourseCategories", "/api/coursecategory/tabularlist", "course")
list("listModuleCategories", "/api/modulecategory/tabularlist", "module")
list("listProductCategories", "/api/productcategory/tabularlist", "product")
list("listQuestionCategories", "/api/questioncategory/tabularlist", "question")
list("listUserCategories", "/api/usercategory/tabularlist", "user", true)

categories.openapi(
  operation({
    operationId: "createCategory",
    method: "post",
    path: "/api/category/create",
    summary: "Create a category",
    description: "The name must be unique among the categories of the type, ignoring case.",
    tag,
    access: "staff",
    body: schemas.newCategory,
    response: createdResponse,
  }),
  async (c) => c.json(await createCategory(c.var.work, c.req.valid("json")), 200),
)

categories.openapi(
  operation({
    operationId: "getCategory",
    method: "get",
    path: "/api/category/{id}",
    summary: "Get a category",
    tag,
    access: "staff",
    record: true,
    response: schemas.category,
  }),
  async (c) => c.json(withEtag(c, await getCategory(c.var.db, c.req.valid("param").id), toCategory), 200),
)

categories.openapi(
  operation({
    operationId: "updateCategory",
    method: "put",
    path: "/api/category/{id}",
    summary: "Rename a category",
    tag,
    access: "staff",
    body: schemas.categoryChanges,
    response: messageResponse,
    errors: [409, 412],
  }),
  async (c) => {
    const { category_name: name } = c.req.valid("json")
    return c.json(await updateCategory(c.var.work, c.req.valid("param").id, name, expectedVersion(c)), 200)
  },
)

categories.openapi(
  operation({
    operationId: "deleteCategories",
    method: "post",
    path: "/api/category/delete",
    summary: "Delete categories",
    description:
      "The records in the categories are not deleted. If there are many, a background job removes them from the " +
      "categories, and the response contains its `jobId`.",
    tag,
    access: "staff",
    body: deletionBody,
    response: changedResponse,
    errors: [409],
  }),
  async (c) => c.json(await deleteCategories(c.var.work, c.req.valid("json").delete_ids), 200),
)
