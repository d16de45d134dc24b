/** The calls of the HTTP API: what they take, and what they answer with. And the dashboard. */
@NullMarked
package io.delaybridge.admin.api;

import org.jspecify.annotations.NullMarked;
