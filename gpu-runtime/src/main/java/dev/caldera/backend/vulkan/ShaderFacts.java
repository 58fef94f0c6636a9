package dev.caldera.backend.vulkan;

import dev.caldera.shaders.Shader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a shader needs of a device under given specialization constants, read from its SPIR-V: a
 * driver may lose the device over a shader that needs too much instead of refusing it.
 *
 * <p>A SPIR-V module is five words of header and then instructions, each with its length and opcode
 * in the first word. The reader collects constants (specialized ones replaced), types, and the
 * variables of the two storage classes of interest.
 *
 * @param pushBytes bytes of the push constant block
 * @param sharedBytes bytes of shared memory
 * @param sizeX invocations of a workgroup in x
 * @param sizeY invocations of a workgroup in y
 * @param sizeZ invocations of a workgroup in z
 */
record ShaderFacts(int pushBytes, long sharedBytes, long sizeX, long sizeY, long sizeZ) {
  private static final int MAGIC = 0x07230203;
  private static final int HEADER_WORDS = 5;

  /** Reads {@code shader} with specialization constant i set to {@code constants[i]}. */
  static ShaderFacts read(Shader shader, int... constants) {
    return new Reader(shader.name(), shader.spirv(), constants).read();
  }

  /** Invocations of a workgroup. */
  long invocations() {
    return sizeX * sizeY * sizeZ;
  }

  private static final class Reader {
    private static final int OP_EXECUTION_MODE = 16;
    private static final int OP_TYPE_BOOL = 20;
    private static final int OP_TYPE_INT = 21;
    private static final int OP_TYPE_FLOAT = 22;
    private static final int OP_TYPE_VECTOR = 23;
    private static final int OP_TYPE_MATRIX = 24;
    private static final int OP_TYPE_ARRAY = 28;
    private static final int OP_TYPE_STRUCT = 30;
    private static final int OP_TYPE_POINTER = 32;
    private static final int OP_CONSTANT_TRUE = 41;
    private static final int OP_CONSTANT = 43;
    private static final int OP_CONSTANT_COMPOSITE = 44;
    private static final int OP_SPEC_CONSTANT_TRUE = 48;
    private static final int OP_SPEC_CONSTANT_FALSE = 49;
    private static final int OP_SPEC_CONSTANT = 50;
    private static final int OP_SPEC_CONSTANT_COMPOSITE = 51;
    private static final int OP_SPEC_CONSTANT_OP = 52;
    private static final int OP_VARIABLE = 59;
    private static final int OP_DECORATE = 71;
    private static final int OP_MEMBER_DECORATE = 72;
    private static final int OP_EXECUTION_MODE_ID = 331;
    private static final int DECORATION_SPEC_ID = 1;
    private static final int DECORATION_BUILT_IN = 11;
    private static final int DECORATION_OFFSET = 35;
    private static final int BUILT_IN_WORKGROUP_SIZE = 25;
    private static final int MODE_LOCAL_SIZE = 17;
    private static final int MODE_LOCAL_SIZE_ID = 38;
    private static final int CLASS_WORKGROUP = 4;
    private static final int CLASS_PUSH_CONSTANT = 9;
    private static final int ADDRESS_BYTES = 8;

    private final String name;
    private final int[] words;
    private final int[] specialization;
    private final Map<Integer, Integer> specIds = new HashMap<>();
    private final Map<Integer, Long> values = new HashMap<>();
    private final Map<Integer, int[]> composites = new HashMap<>();
    private final Map<Integer, int[]> types = new HashMap<>();
    private final Map<Integer, Map<Integer, Integer>> offsets = new HashMap<>();
    private final List<int[]> variables = new ArrayList<>();
    private int[] sizeIds = {};
    private long[] size = {1, 1, 1};

    Reader(String name, byte[] spirv, int[] specialization) {
      this.name = name;
      this.specialization = specialization;
      this.words = new int[spirv.length / Integer.BYTES];
      ByteBuffer.wrap(spirv).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(words);
      if (words.length < HEADER_WORDS || words[0] != MAGIC) {
        throw new IllegalArgumentException("Cannot read shader " + name + ": it is not SPIR-V");
      }
    }

    ShaderFacts read() {
      int at = HEADER_WORDS;
      while (at < words.length) {
        int length = words[at] >>> 16;
        if (length == 0 || at + length > words.length) {
          throw new IllegalArgumentException(
              "Cannot read shader " + name + ": it is cut off at word " + at);
        }
        instruction(words[at] & 0xffff, at, length);
        at += length;
      }
      if (sizeIds.length == 3) {
        for (int i = 0; i < 3; i++) {
          size[i] = value(sizeIds[i]);
        }
      }
      long shared = 0;
      int push = 0;
      for (int[] variable : variables) {
        int pointee = type(variable[0])[2];
        if (variable[1] == CLASS_WORKGROUP) {
          shared += bytes(pointee);
        } else {
          push = Math.toIntExact(bytes(pointee));
        }
      }
      return new ShaderFacts(push, shared, size[0], size[1], size[2]);
    }

    private void instruction(int opcode, int at, int length) {
      switch (opcode) {
        case OP_EXECUTION_MODE:
          if (words[at + 2] == MODE_LOCAL_SIZE) {
            size = new long[] {words[at + 3], words[at + 4], words[at + 5]};
          }
          break;
        case OP_EXECUTION_MODE_ID:
          if (words[at + 2] == MODE_LOCAL_SIZE_ID) {
            sizeIds = slice(at + 3, 3);
          }
          break;
        case OP_DECORATE:
          if (words[at + 2] == DECORATION_SPEC_ID) {
            specIds.put(words[at + 1], words[at + 3]);
          } else if (words[at + 2] == DECORATION_BUILT_IN
              && words[at + 3] == BUILT_IN_WORKGROUP_SIZE) {
            composites.put(words[at + 1], new int[] {});
          }
          break;
        case OP_MEMBER_DECORATE:
          if (words[at + 3] == DECORATION_OFFSET) {
            offsets
                .computeIfAbsent(words[at + 1], struct -> new HashMap<>())
                .put(words[at + 2], words[at + 4]);
          }
          break;
        case OP_TYPE_BOOL:
        case OP_TYPE_INT:
        case OP_TYPE_FLOAT:
        case OP_TYPE_VECTOR:
        case OP_TYPE_MATRIX:
        case OP_TYPE_ARRAY:
        case OP_TYPE_STRUCT:
          int[] type = slice(at + 1, length - 1);
          type[0] = opcode;
          types.put(words[at + 1], type);
          break;
        case OP_TYPE_POINTER:
          types.put(words[at + 1], new int[] {opcode, words[at + 2], words[at + 3]});
          break;
        case OP_CONSTANT_TRUE:
          values.put(words[at + 2], 1L);
          break;
        case OP_CONSTANT:
          values.put(words[at + 2], Integer.toUnsignedLong(words[at + 3]));
          break;
        case OP_SPEC_CONSTANT_TRUE:
          values.put(words[at + 2], specialized(words[at + 2], 1));
          break;
        case OP_SPEC_CONSTANT_FALSE:
          values.put(words[at + 2], specialized(words[at + 2], 0));
          break;
        case OP_SPEC_CONSTANT:
          values.put(words[at + 2], specialized(words[at + 2], words[at + 3]));
          break;
        case OP_SPEC_CONSTANT_OP:
          operation(at, length);
          break;
        case OP_CONSTANT_COMPOSITE:
        case OP_SPEC_CONSTANT_COMPOSITE:
          if (composites.containsKey(words[at + 2])) {
            sizeIds = slice(at + 3, length - 3);
          }
          break;
        case OP_VARIABLE:
          if (words[at + 3] == CLASS_WORKGROUP || words[at + 3] == CLASS_PUSH_CONSTANT) {
            variables.add(new int[] {words[at + 1], words[at + 3]});
          }
          break;
        default:
          break;
      }
    }

    private long specialized(int id, int standard) {
      Integer index = specIds.get(id);
      int value = index != null && index < specialization.length ? specialization[index] : standard;
      return Integer.toUnsignedLong(value);
    }

    /**
     * Integer arithmetic over constants; any other operation has no value, and is refused if used.
     */
    private void operation(int at, int length) {
      Long left = length == 6 ? values.get(words[at + 4]) : null;
      Long right = length == 6 ? values.get(words[at + 5]) : null;
      if (left == null || right == null) {
        return;
      }
      switch (words[at + 3]) {
        case 128:
          values.put(words[at + 2], left + right);
          break;
        case 130:
          values.put(words[at + 2], left - right);
          break;
        case 132:
          values.put(words[at + 2], left * right);
          break;
        case 134:
        case 135:
          if (right != 0) {
            values.put(words[at + 2], left / right);
          }
          break;
        default:
          break;
      }
    }

    private long value(int id) {
      Long value = values.get(id);
      if (value == null) {
        throw new IllegalArgumentException(
            "Cannot read shader "
                + name
                + ": a size in it is computed from constants in a way that is not understood;"
                + " use +, -, * and / of integers");
      }
      return value;
    }

    private int[] type(int id) {
      int[] type = types.get(id);
      if (type == null) {
        throw new IllegalArgumentException(
            "Cannot read shader " + name + ": type " + id + " of a variable is not understood");
      }
      return type;
    }

    private long bytes(int id) {
      int[] type = type(id);
      switch (type[0]) {
        case OP_TYPE_BOOL:
          return Integer.BYTES;
        case OP_TYPE_INT:
        case OP_TYPE_FLOAT:
          return type[1] / Byte.SIZE;
        case OP_TYPE_VECTOR:
        case OP_TYPE_MATRIX:
          return bytes(type[1]) * type[2];
        case OP_TYPE_ARRAY:
          return bytes(type[1]) * value(type[2]);
        case OP_TYPE_POINTER:
          return ADDRESS_BYTES;
        default:
          return structBytes(id, type);
      }
    }

    private long structBytes(int id, int[] struct) {
      Map<Integer, Integer> placed = offsets.getOrDefault(id, Map.of());
      long end = 0;
      for (int member = 0; member < struct.length - 1; member++) {
        long start = placed.getOrDefault(member, (int) end);
        end = Math.max(end, start + bytes(struct[member + 1]));
      }
      return end;
    }

    private int[] slice(int from, int length) {
      return java.util.Arrays.copyOfRange(words, from, from + length);
    }
  }
}
