// The reference of all HTTP APIs, drawn by Swagger UI (Apache-2.0). Nothing is fetched from another origin.
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import documentUrl from "../../openapi/llmbench.json?url";

SwaggerUI({
  url: documentUrl,
  dom_id: "#reference",
  deepLinking: true,
  filter: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  tagsSorter: "alpha",
  // The validator would call a server of Swagger's.
  validatorUrl: null,
});
