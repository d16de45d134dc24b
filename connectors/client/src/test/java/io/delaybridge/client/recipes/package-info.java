/** The code of docs/recipes, which quotes what stands here between two snippet comments. */
@NullMarked
package io.delaybridge.client.recipes;

import org.jspecify.annotations.NullMarked;
